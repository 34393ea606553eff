import Darkroom
import DarkroomTestKit
import FoundationEssentials
import TestSupport
import Testing

/// `SDImageCoder`, `SDImageCoderOption`, `SDImageCodersManager` and the built-in coders.
struct SDImageCoderTests {
    private let coders = CoderRegistry.standard

    @Test func lastAddedCoderIsAskedFirst() throws {
        struct Grey: ImageCoder {
            var formats: [ImageFormat] { [.png] }
            func info(of request: InfoRequest) -> ImageInfo { ImageInfo(format: .png, storedSize: PixelSize(1, 1)) }
            func decode(_ request: DecodeRequest) throws -> Bitmap {
                try Bitmap(PixelSize(1, 1), bytes: [9, 9, 9, 255], hasAlpha: false)
            }
        }
        var coders = coders
        coders.register(Grey())
        #expect(try coders.decode(Fixture("png-9x17.png").data).size == PixelSize(1, 1))
    }

    @Test func removedCoderIsNotAsked() throws {
        var coders = coders
        coders.remove { $0 is PNGCoder }
        let error = #expect(throws: ImageError.self) { try coders.decode(Fixture("png-9x17.png").data) }
        #expect(error?.kind == .noCoder)
    }

    @Test func unknownBytesHaveNoCoder() {
        let error = #expect(throws: ImageError.self) { try coders.decode(Data("not an image".utf8)) }
        #expect(error?.kind == .noCoder)
    }

    @Test func decodeFirstFrameOnlyGivesAStillWithoutALoop() throws {
        let image = try coders.decode(
            Fixture("gif-animated.gif").data, context: ImageContext { $0.usesFirstFrameOnly = true })
        #expect(image.animation == nil)
    }

    @Test func decodeScaleFactorBelowOneCountsAsOne() throws {
        let data = Fixture("png-9x17.png").data
        #expect(try coders.decode(data, context: ImageContext { $0.scale = 2 }).metadata.scale == 2)
        #expect(try coders.decode(data, context: ImageContext { $0.scale = 0.5 }).metadata.scale == 1)
    }

    @Test(arguments: [
        (PixelSize(120, 300), Thumbnail.fit(200, 200), PixelSize(80, 200)),
        (PixelSize(120, 300), .fit(600, 600), PixelSize(120, 300)),
        (PixelSize(120, 300), .stretch(200, 200), PixelSize(120, 200)),
        (PixelSize(1000, 661), .fit(100, 100), PixelSize(100, 67)),
        (PixelSize(64, 64), .fit(0, 0), PixelSize(64, 64)),
        (PixelSize(1000, 10), .fit(50, 50), PixelSize(50, 1)),
    ])
    func thumbnailSizeFollowsTheRule(picture: PixelSize, thumbnail: Thumbnail, size: PixelSize) {
        #expect(thumbnail.size(for: picture) == size)
    }

    @Test func scaleDownLimitOverridesTheThumbnailSize() throws {
        let context = ImageContext {
            $0.scaleDownByteCount = 4 * 4 * 4
            $0.thumbnail = .fit(2, 2)
        }
        let size = try coders.decode(Fixture("png-9x17.png").data, context: context).size
        #expect(size.width * size.height <= 16 && size.height > 2)
    }

    @Test(arguments: 1...8) func orientationIsAppliedToThePixels(value: Int) throws {
        let fixture = Fixture("jpeg-orientation-\(value).jpg")
        let image = try coders.decode(fixture.data)
        #expect(try image.size == fixture.expectedBitmap(hasAlpha: false).size)
    }

    @Test func colourOfTransparentPixelsIsZero() throws {
        let bitmap = try coders.decode(Fixture("gif-transparent.gif").data).bitmap
        #expect(bitmap.hasAlpha)
        let bytes = bitmap.bytes
        for start in stride(from: 0, to: bytes.count, by: 4) where bytes[start + 3] == 0 {
            #expect(bytes[start..<(start + 3)].allSatisfy { $0 == 0 })
        }
    }

    @Test(arguments: [ImageFormat.gif, .png, .webp])
    func animationKeepsFramesDurationsAndLoopsThroughEncoding(format: ImageFormat) throws {
        let frames = (0..<3).map { Frame(.testCard(12, 9, number: $0), duration: .milliseconds(100 * ($0 + 1))) }
        let image = try #require(Image(frames: frames, loopCount: 4))
        let animation = try #require(try coders.decode(coders.encode(image, as: format)).animation)
        #expect(animation.frameCount == 3 && animation.loopCount == 4)
        for (duration, frame) in zip(animation.frameDurations, frames) {
            #expect(abs((duration - frame.duration) / .seconds(1)) < 0.006)
        }
    }

    @Test func encodeFirstFrameOnlyWritesAStill() throws {
        let frames = (0..<3).map { Frame(.testCard(12, 9, number: $0), duration: .milliseconds(100)) }
        let data = try coders.encode(
            try #require(Image(frames: frames)), as: .gif, context: ImageContext { $0.usesFirstFrameOnly = true })
        #expect(try coders.decode(data).animation == nil)
    }

    @Test func compressionQualityChangesTheSizeOfAJPEG() throws {
        func byteCount(_ quality: Double) throws -> Int {
            try coders.encode(picture(.testCard(64, 64)), as: .jpeg, context: ImageContext { $0.quality = quality })
                .count
        }
        #expect(try byteCount(0.1) < byteCount(0.5))
        #expect(try byteCount(0.5) < byteCount(1))
    }

    @Test func encodeMaxPixelSizeShrinksToFit() throws {
        let context = ImageContext { $0.encodedSizeLimit = PixelSize(30, 30) }
        let data = try coders.encode(picture(.testCard(60, 40)), as: .png, context: context)
        #expect(try coders.decode(data).size == PixelSize(30, 20))
    }

    @Test func encodeMaxFileSizeBoundsAJPEG() throws {
        func data(_ change: (inout ImageContext) -> Void) throws -> Data {
            try coders.encode(picture(.testCard(64, 64)), as: .jpeg, context: ImageContext(change))
        }
        let (small, large) = (try data { $0.quality = 0.01 }.count, try data { $0.quality = 1 }.count)
        let bounded = try data { $0.encodedByteLimit = (small + large) / 2 }.count
        #expect(bounded > small && bounded < large)
    }

    @Test func backgroundIsDrawnUnderAlphaInAJPEG() throws {
        let clear = try Bitmap(PixelSize(8, 8), bytes: Array(repeating: 0, count: 256))
        let context = ImageContext {
            $0.background = Color(red: 255, green: 0, blue: 0)
            $0.quality = 1
        }
        let data = try coders.encode(picture(clear), as: .jpeg, context: context)
        let color = try #require(try coders.decode(data).bitmap.color(x: 4, y: 4))
        #expect(color.red > 250 && color.green < 5 && color.blue < 5)
    }

    @Test func alphaInAJPEGWithoutABackgroundIsAnError() {
        let error = #expect(throws: ImageError.self) {
            try coders.encode(picture(.testCard(8, 8, hasAlpha: true)), as: .jpeg)
        }
        #expect(error?.kind == .unsupported && error?.stage == .encode)
    }

    @Test func thumbnailIsRecordedEvenIfNothingWasShrunk() throws {
        let context = ImageContext { $0.thumbnail = .fit(500, 500) }
        let image = try coders.decode(Fixture("png-9x17.png").data, context: context)
        #expect(image.size == PixelSize(9, 17) && image.metadata.thumbnail == .fit(500, 500))
    }

    @Test func undefinedFormatIsPNGWithAlphaAndJPEGWithout() throws {
        let unknown = ImageFormat(identifier: "public.image", mimeType: "image/x", fileExtension: "x", signatures: [])
        let alpha = try coders.encode(picture(.testCard(4, 4, hasAlpha: true), unknown))
        #expect(ImageFormat.png.matches(alpha))
        #expect(ImageFormat.jpeg.matches(try coders.encode(picture(.testCard(4, 4), unknown))))
    }
}

/// `SDImageGIFCoder`, `SDImageAPNGCoder`, `SDImageWebPCoder` and `SDImageIOCoder`.
struct SDImageBuiltInCoderTests {
    private let coders = CoderRegistry.standard

    @Test(arguments: [(0.0, 0.1), (0.01, 0.1), (0.011, 0.011), (0.02, 0.02)])
    func frameDurationBelow11MillisecondsBecomesATenthOfASecond(written: Double, read: Double) throws {
        let frames = (0..<2).map { Frame(.testCard(4, 4, number: $0), duration: .seconds(written)) }
        let data = try coders.encode(try #require(Image(frames: frames)), as: .png)
        let duration = try #require(try coders.decode(data).animation?.frameDurations.first)
        #expect(abs(duration / .seconds(1) - read) < 0.0005)
    }

    @Test func firstFrameOfAnAnimationIsComposedOnItsCanvas() throws {
        let data = Fixture("gif-animated-partial.gif").data
        let (whole, first) = (
            try coders.decode(data), try coders.decode(data, context: ImageContext { $0.usesFirstFrameOnly = true })
        )
        #expect(first.size == whole.size && first.bitmap == whole.bitmap)
    }

    @Test func webPLosslessKeepsEveryPixel() throws {
        let card = Bitmap.testCard(17, 9)
        let data = try coders.encode(
            picture(card, .webp), as: .webp, context: ImageContext { $0.writesLosslessWebP = true })
        #expect(try coders.decode(data).bitmap.firstDifference(from: card) == nil)
    }

    @Test func pngKeepsEveryPixelAndItsAlpha() throws {
        let card = Bitmap.testCard(17, 9, hasAlpha: true)
        #expect(try coders.decode(coders.encode(picture(card), as: .png)).bitmap.firstDifference(from: card) == nil)
    }

    @Test func jpegHasNoAlpha() throws {
        #expect(try !coders.decode(Fixture("jpeg-444.jpg").data).bitmap.hasAlpha)
    }

    @Test(arguments: ["png-9x17.png", "jpeg-444.jpg", "gif-89a.gif", "webp-icc.webp"])
    func truncatedFileIsAnErrorAndNeverATrap(name: String) {
        let data = Fixture(name).data
        #expect(throws: ImageError.self) { try coders.decode(data.prefix(20)) }
    }

    @Test func formatIsKeptThroughEncodingAndDecoding() throws {
        for format in [ImageFormat.png, .jpeg, .gif, .webp] {
            #expect(try coders.decode(coders.encode(picture(.testCard(8, 8), format))).info.format == format)
        }
    }
}

/// `NSData+ImageContentType`.
struct NSDataImageContentTypeTests {
    @Test(arguments: [
        ("jpeg-444.jpg", ImageFormat.jpeg), ("png-9x17.png", .png), ("gif-89a.gif", .gif), ("webp-icc.webp", .webp),
    ])
    func formatIsThatOfTheBytes(name: String, format: ImageFormat) {
        #expect(ImageFormat.sniff(Fixture(name).data) == format)
    }

    @Test func unknownAndEmptyDataHaveNoFormat() {
        #expect(ImageFormat.sniff(Data()) == nil)
        #expect(ImageFormat.sniff(Data("Hello".utf8)) == nil)
    }

    @Test func svgIsRecognizedByItsEnd() {
        #expect(ImageFormat.sniff(Data("<svg></svg>".utf8)) == .svg)
    }

    @Test(arguments: [(ImageFormat.jpeg, "public.jpeg"), (.png, "public.png"), (.gif, "com.compuserve.gif")])
    func identifiersAreThoseOfApple(format: ImageFormat, identifier: String) {
        #expect(format.identifier == identifier && ImageFormat(named: identifier) == format)
    }
}
