import DarkroomCore
import DarkroomTestKit
import DarkroomWebP
import FoundationEssentials
import TestSupport
import Testing

@Suite struct WebPEncodingTests {
    private let registry = CoderRegistry([WebPCoder()])
    private let lossless = ImageContext { $0.writesLosslessWebP = true }

    private let colorful = Bitmap(40, 30) { x, y in
        Color(red: UInt8(x * 6), green: UInt8(y * 8), blue: UInt8(x * y % 256))
    }
    private let glassy = Bitmap(40, 30, hasAlpha: true) { x, y in
        let alpha = UInt8(x * 6)
        return alpha == 0
            ? Color(red: 0, green: 0, blue: 0, alpha: 0)
            : Color(red: UInt8(y * 8), green: UInt8(x * 6), blue: 99, alpha: alpha)
    }

    private func image(_ bitmap: Bitmap) -> Image {
        Image(info: ImageInfo(format: .webp, storedSize: bitmap.size), bitmap: bitmap)
    }

    private func encode(_ bitmap: Bitmap, _ context: ImageContext = .init()) throws -> Data {
        try registry.encode(image(bitmap), as: .webp, context: context)
    }

    @Test func losslessPixelsRoundTripExactly() throws {
        #expect(try registry.decode(encode(colorful, lossless)).bitmap == colorful)
        #expect(try registry.decode(encode(glassy, lossless)).bitmap == glassy)
    }

    @Test func lossyPixelsRoundTripApproximately() throws {
        let smooth = Bitmap(64, 48) { x, y in Color(red: UInt8(100 + x), green: UInt8(120 + y), blue: 110) }
        try CoderContract(WebPCoder()).checkRoundTrip(smooth, as: .webp, tolerance: 8)
    }

    @Test func lossyAlphaRoundTripsExactly() throws {
        let decoded = try registry.decode(encode(glassy)).bitmap
        let alphas = stride(from: 3, to: glassy.byteCount, by: 4)
        #expect(alphas.map { decoded.bytes[$0] } == alphas.map { glassy.bytes[$0] })
    }

    @Test(arguments: [true, false])
    func opaqueBitmapIsEncodedWithoutAlpha(_ isLossless: Bool) throws {
        let data = try encode(colorful, ImageContext { $0.writesLosslessWebP = isLossless })
        #expect(try !registry.info(of: data).hasAlpha)
    }

    @Test func equalRequestsGiveEqualBytes() throws {
        #expect(try encode(glassy) == encode(glassy))
        #expect(try encode(glassy, lossless) == encode(glassy, lossless))
    }

    @Test func lowerQualityGivesFewerBytes() throws {
        let sizes = try [0, 0.5, 1].map { quality in try encode(colorful, ImageContext { $0.quality = quality }).count }
        #expect(sizes == sizes.sorted() && Set(sizes).count == 3)
    }

    @Test func defaultQualityIsThatOfDeliveredFiles() throws {
        #expect(try encode(colorful) == encode(colorful, ImageContext { $0.quality = DefaultQuality.delivered }))
    }

    /// 80 per cent look like 80 of JPEG, for which libwebp needs a higher number.
    @Test func qualityIsMappedToTheNumberOfTheEncoder() throws {
        let mapped = try encode(colorful, ImageContext { $0.quality = 0.8 })
        let sizes = try [80.0, 95].map { number in
            try encode(colorful, ImageContext { $0.encoderQuality = number }).count
        }
        #expect(sizes[0] < mapped.count && mapped.count < sizes[1])
        #expect(
            try encode(colorful, ImageContext { $0.encoderQuality = 0 })
                == encode(colorful, ImageContext { ($0.encoderQuality, $0.quality) = (0, 1) }))
    }

    @Test func sharpConversionBeginsWhereJPEGStoresFullChroma() throws {
        func encode(_ quality: Double, isSharp: Bool?) throws -> Data {
            try self.encode(colorful, ImageContext { ($0.quality, $0.webPOptions.usesSharpYUV) = (quality, isSharp) })
        }
        for (quality, isSharp) in [(0.5, false), (0.89, false), (0.9, true), (1, true)] {
            #expect(try encode(quality, isSharp: nil) == encode(quality, isSharp: isSharp))
            #expect(try encode(quality, isSharp: nil) != encode(quality, isSharp: !isSharp))
        }
    }

    @Test(arguments: [-1, 100.5, .nan])
    func numberThatTheEncoderDoesNotHaveIsUnsupported(_ number: Double) throws {
        let error = #expect(throws: ImageError.self) {
            try encode(colorful, ImageContext { $0.encoderQuality = number })
        }
        #expect(error?.kind == .unsupported && error?.message.hasPrefix("context.encoderQuality is ") == true)
        #expect(error?.message.hasSuffix(", but must be from 0 to 100") == true)
    }

    @Test func qualityIsIgnoredForLosslessEncoding() throws {
        var context = lossless
        context.quality = 0.1
        #expect(try encode(colorful, context) == encode(colorful, lossless))
    }

    @Test(arguments: 0...6)
    func everyLosslessMethodEncodesTheSamePixels(_ method: Int) throws {
        var context = lossless
        context.webPMethod = method
        #expect(try registry.decode(encode(colorful, context)).bitmap == colorful)
    }

    @Test(arguments: [-1, 7, .max, .min])
    func unknownMethodIsUnsupported(_ method: Int) throws {
        let error = #expect(throws: ImageError.self) { try encode(colorful, ImageContext { $0.webPMethod = method }) }
        #expect(error?.kind == .unsupported)
    }

    @Test(arguments: [-0.1, 1.1, .nan, .infinity])
    func qualityOutOfRangeIsUnsupported(_ quality: Double) throws {
        let error = #expect(throws: ImageError.self) { try encode(colorful, ImageContext { $0.quality = quality }) }
        #expect(error?.kind == .unsupported)
    }

    @Test(arguments: [PixelSize(16_384, 1), PixelSize(1, 16_384)])
    func sideBeyondTheFormatIsUnsupported(_ size: PixelSize) throws {
        let error = #expect(throws: ImageError.self) { try encode(Bitmap(size, hasAlpha: true) { _ in }) }
        #expect(error?.kind == .unsupported)
    }

    @Test func longestSideIsEncoded() throws {
        let bitmap = try Bitmap(PixelSize(16_383, 1), hasAlpha: true) { _ in }
        #expect(try registry.decode(encode(bitmap)).size == bitmap.size)
    }

    @Test(arguments: [true, false])
    func cancelledEncodeStops(_ isLossless: Bool) throws {
        let flag = CancellationFlag()
        flag.set()
        let error = #expect(throws: ImageError.self) {
            try registry.encode(
                image(colorful), as: .webp, context: ImageContext { $0.writesLosslessWebP = isLossless },
                cancellation: flag)
        }
        #expect(error?.kind == .cancelled)
    }
}
