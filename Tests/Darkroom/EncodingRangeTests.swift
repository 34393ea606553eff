import Darkroom
import FoundationEssentials
import TestSupport
import Testing

/// Values that a format cannot store. Every encoder rejects them alike.
@Suite(.bug(id: "16.23"), .bounded)
struct EncodingRangeTests {
    private static let formats: [ImageFormat] = [.png, .jpeg, .gif, .webp]
    private let coders = CoderRegistry([PNGCoder(), JPEGCoder(), GIFCoder(), WebPCoder()])
    private let bitmap = Bitmap(2, 2) { x, _ in x == 0 ? Color(red: 0, green: 0, blue: 0) : .white }

    private func animation(durations: [Double] = [0.1, 0.1], loopCount: Int = 0) throws -> Image {
        let frames = durations.map { Frame(bitmap, duration: Duration(saturatingSeconds: $0)) }
        return try #require(Image(frames: frames, loopCount: loopCount))
    }

    private func rejection(of image: Image, as format: ImageFormat, _ context: ImageContext = .init()) -> String? {
        let error = #expect(throws: ImageError.self) { try coders.encode(image, as: format, context: context) }
        #expect(error?.kind == .unsupported && error?.stage == .encode)
        return error?.message
    }

    @Test(arguments: formats, [-0.01, 1.01, .nan, .infinity])
    func qualityIsFromZeroToOne(_ format: ImageFormat, _ quality: Double) throws {
        let image = Image(info: ImageInfo(format: format, storedSize: bitmap.size), bitmap: bitmap)
        let message = rejection(of: image, as: format, ImageContext { $0.quality = quality })
        #expect(message?.hasPrefix("context.quality is ") == true)
        #expect(message?.hasSuffix(", but must be from 0 to 1") == true)
    }

    @Test(arguments: [ImageFormat.gif, .webp, .png], [-1, .min, .max])
    func loopCountIsOneThatTheFormatStores(_ format: ImageFormat, _ count: Int) throws {
        let message = rejection(of: try animation(loopCount: count), as: format)
        let bound = format == .png ? 4_294_967_295 : 65_535
        #expect(message == "the loop count for \(format) is \(count), but must be from 0 to \(bound)")
        #expect(try coders.info(of: coders.encode(animation(loopCount: 65_535), as: format)).loopCount == 65_535)
    }

    @Test(arguments: [(ImageFormat.gif, 655.35), (.webp, 16_777.215), (.png, 65_535)], [-0.001, .infinity, 1e9])
    func durationIsOneThatTheFormatStores(_ longest: (format: ImageFormat, seconds: Double), _ duration: Double) throws
    {
        let message = rejection(of: try animation(durations: [1, duration]), as: longest.format)
        #expect(message?.hasPrefix("the duration of a frame in seconds for \(longest.format) is ") == true)
        let data = try coders.encode(animation(durations: [1, longest.seconds]), as: longest.format)
        #expect(
            try coders.info(of: data).frameDurations == [.seconds(1), Duration(saturatingSeconds: longest.seconds)])
    }

    @Test(arguments: [-1, 10, .min, .max])
    func compressionLevelIsFromZeroToNine(_ level: Int) throws {
        let image = Image(info: ImageInfo(format: .png, storedSize: bitmap.size), bitmap: bitmap)
        let context = ImageContext { $0.pngCompressionLevel = level }
        #expect(
            rejection(of: image, as: .png, context)
                == "context.pngCompressionLevel is \(level), but must be from 0 to 9")
        _ = try coders.encode(image, as: .jpeg, context: context)
    }

    /// The values of an animation say nothing about its first frame.
    @Test(arguments: formats) func firstFrameHasNoLoopCountAndNoDuration(_ format: ImageFormat) throws {
        let image = try animation(durations: [-1, 1e9], loopCount: -1)
        let data = try coders.encode(image, as: format, context: ImageContext { $0.usesFirstFrameOnly = true })
        #expect(try coders.info(of: data).frameCount == 1)
    }

    /// A coder from another module needs no check of its own.
    @Test func plugInIsNotCalledWithValuesOutOfRange() throws {
        let coders = CoderRegistry([UncheckedCoder()])
        for image in [try animation(loopCount: -1), try animation(durations: [0.1, -1])] {
            let error = #expect(throws: ImageError.self) { try coders.encode(image, as: .png) }
            #expect(error?.message.hasSuffix(" or more") == true)
        }
    }
}

/// A coder whose encoder must not be called.
private struct UncheckedCoder: EncodingImageCoder {
    let formats = [ImageFormat.png]

    func info(of request: InfoRequest) throws -> ImageInfo { ImageInfo(format: .png, storedSize: PixelSize(1, 1)) }

    func decode(_ request: DecodeRequest) throws -> Bitmap { try Bitmap(PixelSize(1, 1), hasAlpha: true) { _ in } }

    func encode(_ request: EncodeRequest) throws -> Data {
        Issue.record("the encoder was called")
        return Data()
    }
}
