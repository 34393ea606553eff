import DarkroomCore
import DarkroomJPEG
import DarkroomPNG
import DarkroomTestKit
import DarkroomVisualQuality
import DarkroomWebP
import FoundationEssentials
import TestSupport
import Testing

struct VisualTargetTests {
    private static let coders: CoderRegistry = {
        var coders = CoderRegistry([JPEGCoder(), WebPCoder(), PNGCoder()])
        coders.comparator = SSIMULACRA2()
        return coders
    }()

    private static func image(_ size: PixelSize = PixelSize(160, 120), hasAlpha: Bool = false) throws -> Image {
        let picture = GeneratedPicture.dark.bitmap(size, hasAlpha: hasAlpha)
        return try #require(Image(frames: [Frame(picture, duration: .zero)]))
    }

    private static func score(of data: Data, reference: Bitmap) throws -> Double {
        try SSIMULACRA2().score(of: coders.decode(data).bitmap, reference: reference) {}
    }

    @Test(arguments: [ImageFormat.jpeg, .webp], [50.0, 70, 80, 85])
    func fileReachesTheTargetAndLittleMore(_ format: ImageFormat, target: Double) throws {
        let image = try Self.image()
        let context = ImageContext { $0.visualTarget = .score(target) }
        let data = try Self.coders.encode(image, as: format, context: context)
        let score = try Self.score(of: data, reference: image.bitmap)
        // At 90, chroma becomes full.
        #expect(score >= target && score < target + 8, "the score is \(score)")
        #expect(try data == Self.coders.encode(image, as: format, context: context), "equal requests have equal files")
    }

    @Test func bestFileIsWrittenIfNoneReachesTheTarget() throws {
        let image = try Self.image()
        let data = try Self.coders.encode(image, as: .webp, context: ImageContext { $0.visualTarget = .score(100) })
        #expect(try data == Self.coders.encode(image, as: .webp, context: ImageContext { $0.quality = 1 }))
    }

    @Test func targetReplacesQualities() throws {
        let image = try Self.image()
        let plain = try Self.coders.encode(image, as: .jpeg, context: ImageContext { $0.visualTarget = .medium })
        let mixed = ImageContext {
            $0.visualTarget = .medium
            ($0.quality, $0.encoderQuality) = (0.1, 95)
        }
        #expect(try plain == Self.coders.encode(image, as: .jpeg, context: mixed))
    }

    @Test func limitOfBytesPrevailsOverTheTarget() throws {
        let image = try Self.image()
        func file(_ limit: Int?, _ target: VisualQuality?) throws -> Data {
            let context = ImageContext { ($0.encodedByteLimit, $0.visualTarget) = (limit, target) }
            return try Self.coders.encode(image, as: .jpeg, context: context)
        }
        let free = try file(nil, .high)
        #expect(try file(free.count, .high) == free)
        #expect(try file(free.count / 2, .high) == file(free.count / 2, nil))
    }

    @Test func transparentPictureIsComparedAsItIsWritten() throws {
        let image = try Self.image(hasAlpha: true)
        let context = ImageContext { ($0.visualTarget, $0.background) = (.high, .white) }
        let data = try Self.coders.encode(image, as: .jpeg, context: context)
        let shown = try Self.coders.decode(
            Self.coders.encode(image, as: .jpeg, context: context.with { ($0.visualTarget, $0.quality) = (nil, 1) }))
        #expect(try Self.score(of: data, reference: shown.bitmap) > 75)
        let webP = try Self.coders.encode(image, as: .webp, context: context)
        #expect(try Self.score(of: webP, reference: image.bitmap) >= 80)
    }

    @Test func losslessFormatIsEncodedAsEver() throws {
        let image = try Self.image()
        let data = try Self.coders.encode(image, as: .png, context: ImageContext { $0.visualTarget = .low })
        #expect(try data == Self.coders.encode(image, as: .png))
    }

    @Test func missingComparatorIsUnsupported() throws {
        let coders = CoderRegistry([JPEGCoder()])
        let error = #expect(throws: ImageError.self) {
            try coders.encode(Self.image(), as: .jpeg, context: ImageContext { $0.visualTarget = .high })
        }
        #expect(error?.kind == .unsupported && error?.message.contains("DarkroomVisualQuality") == true)
    }

    @Test(arguments: [-1, 100.5, .nan, .infinity]) func targetOutOfRangeIsUnsupported(_ score: Double) throws {
        let error = #expect(throws: ImageError.self) {
            try Self.coders.encode(Self.image(), as: .jpeg, context: ImageContext { $0.visualTarget = .score(score) })
        }
        #expect(error?.kind == .unsupported && error?.message.contains("must be from 0 to 100") == true)
    }

    @Test func workTimeLimitsTheSearch() throws {
        let context = ImageContext {
            $0.visualTarget = .high
            $0.limits.workTime = .microseconds(1)
        }
        let error = #expect(throws: ImageError.self) {
            try Self.coders.encode(Self.image(), as: .jpeg, context: context)
        }
        #expect(error?.kind == .overLimit)
    }

    @Test func blankFirstFrameDoesNotRuinAnAnimation() throws {
        let picture = GeneratedPicture.dark.bitmap(PixelSize(160, 120))
        let blank = Bitmap(160, 120) { _, _ in .white }
        let frames = [blank, picture].map { Frame($0, duration: .milliseconds(100)) }
        let image = try #require(Image(frames: frames))
        let data = try Self.coders.encode(image, as: .webp, context: ImageContext { $0.visualTarget = .high })
        var decoder = try #require(try Self.coders.decode(data).animation).makeFrameDecoder()
        _ = try decoder.nextFrame()
        let second = try #require(try decoder.nextFrame())
        #expect(try SSIMULACRA2().score(of: second.bitmap, reference: picture) {} > 60)
        let bounded = ImageContext { ($0.visualTarget, $0.encodedByteLimit) = (.high, data.count / 2) }
        #expect(try Self.coders.encode(image, as: .webp, context: bounded).count <= data.count / 2)
    }
}

extension ImageContext {
    fileprivate func with(_ change: (inout ImageContext) -> Void) -> ImageContext {
        var context = self
        change(&context)
        return context
    }
}
