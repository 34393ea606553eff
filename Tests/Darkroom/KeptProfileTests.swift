import Darkroom
import FoundationEssentials
import TestSupport
import Testing

/// Pixels that are delivered with their profile, in files of every format: they have the profile, or are sRGB.
@Suite(.bounded)
struct KeptProfileTests {
    private let coders: CoderRegistry = {
        var coders = CoderRegistry([PNGCoder(), JPEGCoder(), GIFCoder(), WebPCoder()])
        coders.colorConverter = LittleCMSConverter()
        return coders
    }()

    private static let bitmap = Bitmap(48, 32) { x, y in
        Color(red: x < 24 ? 220 : 60, green: y < 16 ? 200 : 40, blue: 70)
    }

    private static let bounds: [Int?] = [nil, 4000, 1200, 700, 300]

    private func image(_ isAnimated: Bool) throws -> Image {
        let frames = (isAnimated ? [0, 1] : [0]).map { index in
            Frame(index == 0 ? Self.bitmap : Self.bitmap.upright(from: .down), duration: .milliseconds(100))
        }
        var image = try #require(Image(frames: frames, format: .png))
        image.metadata.iccProfile = ProfileBuilder.displayP3.data
        return image
    }

    @Test(arguments: [ImageFormat.png, .jpeg, .webp, .gif], bounds)
    func colorsLookTheSameInEveryFile(_ format: ImageFormat, _ bound: Int?) throws {
        for isAnimated in format == .jpeg ? [false] : [false, true] { try check(format, bound, isAnimated) }
    }

    private func check(_ format: ImageFormat, _ bound: Int?, _ isAnimated: Bool) throws {
        let image = try image(isAnimated)
        let data = try coders.encode(image, as: format, context: ImageContext { $0.encodedByteLimit = bound })
        let decoded = try coders.decode(data)
        let expected = try coders.decode(coders.encode(image, as: .png)).bitmap
        let hasProfile = try coders.info(of: data).iccProfile != nil
        #expect(hasProfile == (format != .gif && (format != .webp || bound ?? .max >= 1200)))
        // In so few bytes, a GIF has fewer colours than the picture.
        guard format != .gif || bound != 300 else { return }
        // The colours differ by up to 35 levels if they are taken for sRGB.
        // A JPEG keeps its profile, which leaves little room for the pixels.
        #expect(decoded.bitmap.meanDifference(to: expected) < (format == .jpeg && bound ?? .max < 1200 ? 20 : 6))
        for frame in try decoded.animation?.frames() ?? [] { #expect(frame.bitmap.size == expected.size) }
        if let last = try decoded.animation?.frames().last {
            #expect(last.bitmap.meanDifference(to: expected.upright(from: .down)) < 6)
        }
    }

    @Test func loadedImagesKeepTheirColors() throws {
        let file = try coders.encode(image(false), as: .png)
        let expected = try coders.decode(file).bitmap
        for keepsProfile in [false, true] {
            let image = try coders.decode(file, context: ImageContext { $0.keepsProfile = keepsProfile })
            for format in [ImageFormat.png, .jpeg, .webp, .gif] {
                let data = try coders.encode(image, as: format)
                #expect(try coders.decode(data).bitmap.meanDifference(to: expected) < 4)
            }
        }
    }

    @Test func profileThatPNGCannotStoreIsApplied() throws {
        var image = try image(false)
        let expected = try coders.decode(coders.encode(image, as: .png)).bitmap
        // The length at its start is wrong, which Little CMS accepts.
        image.metadata.iccProfile = ProfileBuilder.displayP3.data + Data(count: 4)
        let data = try coders.encode(image, as: .png)
        #expect(try coders.info(of: data).iccProfile == nil)
        #expect(try coders.decode(data).bitmap.meanDifference(to: expected) < 1)
    }

    @Test func profileIsNotDroppedWithoutAConverter() throws {
        let coders = CoderRegistry([GIFCoder()])
        let error = #expect(throws: ImageError.self) { try coders.encode(try image(false), as: .gif) }
        #expect(error?.kind == .unsupported)
    }
}
