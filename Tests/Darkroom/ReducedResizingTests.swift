import Darkroom
import DarkroomPlatform
import DarkroomTestKit
import FoundationEssentials
import TestSupport
import Testing

/// Resizing of large stills, which are decoded at the scale that it needs.
@Suite(.bounded)
struct ReducedResizingTests {
    private static let size = PixelSize(1211, 807)

    /// Waves of several lengths, as smooth as a photograph.
    private static let picture = Bitmap(size.width, size.height) { x, y in
        func wave(_ length: Double, _ angle: Double) -> Double {
            let distance = Double(x) * cos(angle) + Double(y) * sin(angle)
            return sin(distance * 2 * .pi / length)
        }
        func value(_ shift: Double) -> UInt8 {
            let (coarse, fine) = (50 * wave(301, shift), 20 * wave(9, 2 + shift))
            return UInt8(128 + coarse + fine + 40 * wave(37, 1 + shift))
        }
        return Color(red: value(0), green: value(0.7), blue: value(1.9))
    }

    /// Options with time for linear light under the thread sanitizer.
    private static let context = ImageContext { $0.limits.workTime = .seconds(600) }
    private static var request: TransformRequest { TransformRequest(context: context) }

    private static let formats: [ImageFormat] = [.jpeg, .png, .webp]

    private static func file(_ format: ImageFormat, orientation: Orientation = .up) throws -> Data {
        var info = ImageInfo(format: format, storedSize: size)
        info.orientation = orientation
        return try CoderRegistry.standard.encode(Image(info: info, bitmap: picture), as: format)
    }

    private func load(_ file: Data, _ transformers: [any ImageTransformer]) async throws -> LoadResult {
        let manager = try ImageManager {
            $0.install(StandardPlugins())
            $0.install(FakeLoader(file))
        }
        var context = Self.context
        context.transformers = transformers
        return try await manager.load(URL(string: "http://example.com/picture")!, context: context)
    }

    private static let transformers: [[any ImageTransformer]] = [
        [.resize(150, 100, .cover)], [.resize(151, 90, .cover, gravity: .topLeft), .flip(horizontal: true)],
        [.resize(90, 300, .cover, gravity: .right)], [.resize(200, 199, .fit)],
        [.resize(77, 300, .fit, gravity: .bottom)],
        [.resize(300, 60)], [.resize(width: 121)], [.resize(height: 99), .greyscale],
        [.pipeline([.resize(100, 100, .cover), .pad(10)])], [.resize(150, 100, .cover, inLinearLight: true)],
        [.resize(130, 130, .fit, inLinearLight: true)], [.resize(width: 140, inLinearLight: true), .greyscale],
    ]

    @Test(arguments: formats, transformers.indices)
    func resultIsSimilarToThatOfTheFullSize(format: ImageFormat, index: Int) async throws {
        let file = try Self.file(format)
        let whole = try CoderRegistry.standard.decode(file).bitmap
        let expected = try Self.transformers[index].reduce(whole) { try $1.transform($0, for: Self.request) }
        let result = try await load(file, Self.transformers[index]).image
        #expect(result.size == expected.size && result.info.size == Self.size)
        let decibels = result.bitmap.decibels(to: expected)
        #expect(decibels >= 40, "\(decibels)")
    }

    @Test(arguments: [Orientation.down, .left, .rightMirrored]) func orientedImageIsReducedUpright(
        orientation: Orientation
    ) async throws {
        let file = try Self.file(.jpeg, orientation: orientation)
        let whole = try CoderRegistry.standard.decode(file).bitmap
        let resizing = Resizing(width: 120, height: 120, mode: .cover, gravity: .top)
        let expected = try resizing.transform(whole, for: Self.request)
        #expect(try await load(file, [resizing]).image.bitmap.decibels(to: expected) >= 40)
    }

    /// The most interesting part of the picture is on the right, and the red of a part tells where it is.
    @Test(arguments: formats, SmartCropping.Measure.allCases)
    func bestPartIsThatOfTheFullSize(format: ImageFormat, measure: SmartCropping.Measure) async throws {
        let picture = Bitmap(Self.size.width, Self.size.height) { x, y in
            let distance = Double(x - 800) / 260
            let wave = sin(Double(x) / 25) * cos(Double(y) / 22)
            let value = UInt8(128 + 90 * exp(-distance * distance) * wave)
            return Color(red: UInt8(x * 255 / Self.size.width), green: value, blue: value)
        }
        let image = Image(info: ImageInfo(format: format, storedSize: Self.size), bitmap: picture)
        let file = try CoderRegistry.standard.encode(image, as: format)
        let cropping = SmartCropping(width: 100, height: 100, by: measure)
        let whole = try cropping.transform(CoderRegistry.standard.decode(file).bitmap, for: Self.request)
        let result = try await load(file, [cropping])
        #expect(result.report.stages.first { $0.step == .decode }?.detail?.contains("8/8") != true)
        // A pixel differs from the next by 1.7.
        #expect(abs(result.image.bitmap.meanRed - whole.meanRed) < 2.5)
        #expect(whole.meanRed > 150 && result.image.size == PixelSize(100, 100))
    }

    @Test(
        arguments: [
            ([.resize(150, 100, .cover)], "2/8"), ([.resize(75, 50, .fit)], "1/8"),
            ([.resize(150, 100, .cover, inLinearLight: true)], "4/8"), ([.smartCrop(150, 100)], "2/8"),
            ([.resize(400, 300, .fit, inLinearLight: true)], "8/8"), ([.smartCrop(620, 410)], "8/8"),
            ([.crop(x: 10, y: 10, width: 1000, height: 700), .resize(150, 100, .cover)], "8/8"),
            ([.greyscale, .resize(150, 100, .cover)], "8/8"), ([.thumbnail(150, 100)], "2/8"),
        ] as [([any ImageTransformer], String)])
    func scaleIsThatOfTheFirstTransformer(transformers: [any ImageTransformer], scale: String) async throws {
        let report = try await load(Self.file(.jpeg), transformers).report
        let detail = report.stages.first { $0.step == .decode }?.detail
        #expect(detail?.contains(scale) == true, "\(detail ?? "none")")
    }
}

extension Bitmap {
    fileprivate var meanRed: Double {
        withPixels { pixels in
            let sum = stride(from: 0, to: pixels.count, by: 4).reduce(0) { $0 + Int(pixels[$1]) }
            return Double(4 * sum) / Double(pixels.count)
        }
    }
}
