import DarkroomCore
import DarkroomJPEG
import DarkroomTestKit
import FoundationEssentials
import TestSupport
import Testing

struct JPEGEncodingTests {
    private let registry = CoderRegistry([JPEGCoder()])

    private static func gradient(_ width: Int, _ height: Int, alpha: UInt8? = nil) -> Bitmap {
        Bitmap(width, height, hasAlpha: alpha != nil) { x, y in
            Color(
                red: UInt8(x * 255 / width), green: UInt8(y * 255 / height),
                blue: UInt8((x + y) * 127 / (width + height)), alpha: alpha ?? 255)
        }
    }

    @Test(arguments: [PixelSize(1, 1), PixelSize(17, 9), PixelSize(64, 48), PixelSize(200, 33)])
    func smoothImageRoundTripsAtTheBestQuality(_ size: PixelSize) throws {
        try CoderContract(JPEGCoder()).checkRoundTrip(Self.gradient(size.width, size.height), as: .jpeg, tolerance: 3)
    }

    @Test func lowerQualityIsSmaller() throws {
        let files = try [1, 0.9, 0.8, 0.5, 0].map { try encode(Self.gradient(64, 48), quality: $0).count }
        #expect(files == files.sorted(by: >) && Set(files).count == 5)
    }

    @Test func defaultQualityIsThatOfDeliveredFiles() throws {
        let data = try encode(Self.gradient(64, 48), quality: nil)
        #expect(try data == encode(Self.gradient(64, 48), quality: DefaultQuality.delivered))
    }

    @Test(arguments: [1, 50, 89.4, 90, 100])
    func qualityIsThePercentageOfTheEncoder(_ number: Double) throws {
        let image = image(of: Self.gradient(64, 48))
        let data = try registry.encode(image, as: .jpeg, context: ImageContext { $0.encoderQuality = number })
        #expect(try data == encode(image.bitmap, quality: number / 100))
    }

    @Test(arguments: [0, 101, -Double.infinity])
    func numberThatTheEncoderDoesNotHaveIsUnsupported(_ number: Double) throws {
        let error = #expect(throws: ImageError.self) {
            try registry.encode(
                image(of: Self.gradient(4, 4)), as: .jpeg, context: ImageContext { $0.encoderQuality = number })
        }
        #expect(error?.kind == .unsupported && error?.message.hasSuffix(", but must be from 1 to 100") == true)
    }

    @Test(arguments: [(1.0, 0x11), (0.9, 0x11), (0.89, 0x22), (0.1, 0x22)])
    func chromaIsSubsampledBelowNineTenths(_ quality: Double, _ sampling: UInt8) throws {
        let data = try encode(Self.gradient(16, 16), quality: quality)
        let frame = try #require(data.firstRange(of: Data([0xFF, 0xC0]))).lowerBound
        #expect(data[frame + 11] == sampling)
    }

    @Test func alphaRequiresABackground() throws {
        let bitmap = Self.gradient(8, 8, alpha: 255)
        let error = #expect(throws: ImageError.self) { try encode(bitmap) }
        #expect(error?.kind == .unsupported && error?.stage == .encode)
    }

    @Test func transparentPixelsBecomeTheBackground() throws {
        let background = Color(red: 200, green: 30, blue: 90)
        let decoded = try registry.decode(encode(Self.gradient(20, 40, alpha: 0), background: background)).bitmap
        #expect(decoded.largestDifference(to: Bitmap(20, 40) { _, _ in background }) <= 1)
    }

    @Test func translucentPixelsAreBlended() throws {
        let bitmap = Bitmap(8, 8, hasAlpha: true) { _, _ in Color(red: 255, green: 0, blue: 100, alpha: 51) }
        let decoded = try registry.decode(encode(bitmap, background: .white)).bitmap
        let expected = Bitmap(8, 8) { _, _ in Color(red: 255, green: 204, blue: 224) }
        #expect(decoded.largestDifference(to: expected) <= 1)
    }

    @Test func onlyRGBProfilesAreWritten() throws {
        let profile = try #require(JPEGCoder().info(of: Fixture("jpeg-icc.jpg").data).iccProfile)
        #expect(try writtenProfile(profile) == profile)
        #expect(try writtenProfile(profile[..<16] + Data("CMYK".utf8) + profile[20...]) == nil)
        let long = profile + Data(repeating: 7, count: 200_000)
        #expect(try writtenProfile(long) == long)
        let error = #expect(throws: ImageError.self) {
            try writtenProfile(profile + Data(count: 255 * 65519 - profile.count + 1))
        }
        #expect(error?.kind == .unsupported)
    }

    @Test func sideBeyondTheFormatIsUnsupported() throws {
        let error = #expect(throws: ImageError.self) {
            try encode(Bitmap(PixelSize(65501, 1), hasAlpha: false) { _ in })
        }
        #expect(error?.kind == .unsupported)
        #expect(try encode(Bitmap(PixelSize(65500, 1), hasAlpha: false) { _ in }).count > 0)
    }

    @Test(arguments: [nil, 700])
    func cancelledEncodeStops(_ byteCount: Int?) throws {
        let flag = CancellationFlag()
        flag.set()
        let context = ImageContext { $0.encodedByteLimit = byteCount }
        let error = #expect(throws: ImageError.self) {
            try registry.encode(image(of: Self.gradient(4, 4)), as: .jpeg, context: context, cancellation: flag)
        }
        #expect(error?.kind == .cancelled)
    }

    private func image(of bitmap: Bitmap, profile: Data? = nil) -> Image {
        var image = Image(info: ImageInfo(format: .jpeg, storedSize: bitmap.size), bitmap: bitmap)
        image.metadata.iccProfile = profile
        return image
    }

    private func encode(_ bitmap: Bitmap, quality: Double? = 1, background: Color? = nil) throws -> Data {
        let context = ImageContext {
            $0.quality = quality
            $0.background = background
        }
        return try registry.encode(image(of: bitmap), as: .jpeg, context: context)
    }

    private func writtenProfile(_ profile: Data) throws -> Data? {
        let data = try registry.encode(image(of: Self.gradient(4, 4), profile: profile), as: .jpeg)
        return try JPEGCoder().info(of: data).iccProfile
    }
}
