import DarkroomCore
import DarkroomWebP
import FoundationEssentials
import TestSupport
import Testing

@Suite struct WebPFileTests {
    private let registry = CoderRegistry([WebPCoder()])

    private let picture = Bitmap(120, 90) { x, y in
        Color(red: UInt8(x * 2), green: UInt8(y * 2), blue: UInt8((x * x + y * y) % 256))
    }

    /// Only the header of an RGB profile, with an odd length.
    private let profile: Data = {
        var data = Data(count: 133)
        data.replaceSubrange(16..<20, with: Array("RGB ".utf8))
        return data
    }()

    private func image(_ bitmap: Bitmap, profile: Data? = nil, exif: Exif? = nil) -> Image {
        var info = ImageInfo(format: .webp, storedSize: bitmap.size)
        info.exif = exif
        var image = Image(info: info, bitmap: bitmap)
        image.metadata.iccProfile = profile
        return image
    }

    private func encode(_ image: Image, _ context: ImageContext = .init()) throws -> Data {
        try registry.encode(image, as: .webp, context: context)
    }

    @Test(arguments: [true, false])
    func profileIsWritten(_ lossless: Bool) throws {
        let data = try encode(image(picture, profile: profile), ImageContext { $0.writesLosslessWebP = lossless })
        let info = try registry.info(of: data)
        #expect(info.iccProfile == profile)
        #expect(!info.hasAlpha)
        #expect(
            try registry.decode(data).bitmap
                == registry.decode(try encode(image(picture), ImageContext { $0.writesLosslessWebP = lossless })).bitmap
        )
    }

    @Test func alphaIsDeclaredTogetherWithAProfile() throws {
        let glass = Bitmap(8, 8, hasAlpha: true) { x, _ in Color(red: 1, green: 2, blue: 3, alpha: UInt8(100 + x)) }
        for lossless in [true, false] {
            let data = try encode(image(glass, profile: profile), ImageContext { $0.writesLosslessWebP = lossless })
            #expect(try registry.info(of: data).hasAlpha)
            #expect(try registry.decode(data).bitmap.color(x: 3, y: 3)?.alpha == 103)
        }
    }

    @Test func exifIsWrittenOnlyIfMetadataIsPreserved() throws {
        // One entry: the orientation, upright.
        let exif = Exif(Data([0x49, 0x49, 42, 0, 8, 0, 0, 0, 1, 0, 0x12, 1, 3, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0]))
        let image = image(picture, exif: exif)
        #expect(try registry.info(of: encode(image)).exif == nil)
        let kept = try encode(image, ImageContext { $0.keepsMetadata = true })
        #expect(try registry.info(of: kept).exif?.data == exif.data)
    }

    @Test(arguments: [1200, 2000, 3000])
    func byteLimitIsEnforced(_ byteCount: Int) throws {
        for profile in [nil, profile] {
            let context = ImageContext { $0.encodedByteLimit = byteCount }
            let data = try encode(image(picture, profile: profile), context)
            #expect(data.count <= byteCount)
            #expect(data.count > byteCount / 2)
            #expect(try registry.info(of: data).iccProfile == profile)
            #expect(try encode(image(picture, profile: profile), context) == data)
        }
    }

    @Test func qualityOfTheContextIsNotExceededWithinTheByteLimit() throws {
        func file(_ quality: Double?, _ bound: Int?) throws -> Data {
            try encode(image(picture), ImageContext { ($0.quality, $0.encodedByteLimit) = (quality, bound) })
        }
        let wanted = try file(0.5, nil)
        #expect(try file(0.5, wanted.count) == wanted && file(0.5, 1 << 20) == wanted)
        #expect(try file(nil, 1 << 20).count > wanted.count)
        #expect(try file(0.5, wanted.count - 1).count < wanted.count)
    }

    @Test func profileIsKeptBeyondTheByteLimitIfNothingConvertsThePixels() throws {
        let data = try encode(image(picture, profile: profile), ImageContext { $0.encodedByteLimit = 200 })
        #expect(try registry.info(of: data).iccProfile == profile)
    }

    @Test(arguments: [-1, 0, 1])
    func impossibleByteLimitIsExceeded(_ byteCount: Int) throws {
        let data = try encode(image(picture), ImageContext { $0.encodedByteLimit = byteCount })
        #expect(try registry.decode(data).size == picture.size)
    }

    @Test func byteLimitIsIgnoredForLosslessEncoding() throws {
        let context = ImageContext {
            $0.writesLosslessWebP = true
            $0.encodedByteLimit = 100
        }
        #expect(try registry.decode(encode(image(picture), context)).bitmap == picture)
    }
}
