import Darkroom
import DarkroomTestKit
import FoundationEssentials
import TestSupport
import Testing

/// Images delivered and written in Display P3.
@Suite(.bounded)
struct OutputColorSpaceTests {
    private let coders: CoderRegistry = {
        var coders = CoderRegistry([PNGCoder(), JPEGCoder(), GIFCoder(), WebPCoder()])
        coders.colorConverter = LittleCMSConverter()
        return coders
    }()

    private static let bitmap = Bitmap(48, 32) { x, y in
        Color(red: x < 24 ? 220 : 60, green: y < 16 ? 200 : 40, blue: 70)
    }

    private let wide = ImageContext { $0.colorSpace = .displayP3 }

    private func file(_ profile: Data?, _ format: ImageFormat = .png) throws -> Data {
        var image = Image(info: ImageInfo(format: format, storedSize: Self.bitmap.size), bitmap: Self.bitmap)
        image.metadata.iccProfile = profile
        return try coders.encode(image, as: format, context: ImageContext { $0.quality = 1 })
    }

    @Test func wideColorsAreDeliveredWithTheProfile() throws {
        let image = try coders.decode(file(ProfileBuilder.adobeRGB.data), context: wide)
        #expect(image.metadata.iccProfile == OutputColorSpace.displayP3.iccProfile)
        #expect(image.bitmap != Self.bitmap)
        // Within the gamut of both, it is the same colour.
        let narrow = try coders.decode(file(ProfileBuilder.adobeRGB.data)).bitmap
        var shown = ImageInfo(format: .png, storedSize: image.size)
        shown.iccProfile = image.metadata.iccProfile
        var conversion = try #require(try LittleCMSConverter().makeRowConversion(for: shown))
        var pixels = image.bitmap.bytes
        var span = pixels.mutableSpan
        conversion.convert(&span)
        let differences = zip(pixels, narrow.bytes).map { abs(Int($0) - Int($1)) }
        #expect(differences.max() ?? 9 <= 2)
    }

    @Test(arguments: [nil, ProfileBuilder.sRGB.data])
    func othersStaySRGB(_ profile: Data?) throws {
        let image = try coders.decode(file(profile), context: wide)
        #expect(image.metadata.iccProfile == nil && image.bitmap == Self.bitmap)
    }

    @Test func keptProfileIsPreferred() throws {
        let profile = ProfileBuilder.adobeRGB.data
        var context = wide
        context.keepsProfile = true
        let image = try coders.decode(file(profile), context: context)
        #expect(image.metadata.iccProfile == profile && image.bitmap == Self.bitmap)
    }

    @Test func withoutAColorEngineNothingIsConverted() throws {
        var coders = coders
        coders.colorConverter = nil
        let profile = ProfileBuilder.adobeRGB.data
        let image = try coders.decode(file(profile), context: wide)
        #expect(image.metadata.iccProfile == profile && image.bitmap == Self.bitmap)
    }

    @Test func inkIsConverted() throws {
        let inks = ProfileBuilder.cmyk { cyan, magenta, yellow, black in
            [black ? 0 : cyan ? 140 : magenta ? 120 : 255, cyan ? 90 : magenta ? 200 : 128, yellow ? 220 : 128]
        }
        var file = Fixture("jpeg-cmyk.jpg").data
        let segment = Array("ICC_PROFILE\0".utf8) + [1, 1] + inks.data
        file.insert(
            contentsOf: [0xFF, 0xE2, UInt8((segment.count + 2) >> 8), UInt8((segment.count + 2) & 255)] + segment, at: 2
        )
        let (narrow, wide) = (try coders.decode(file), try coders.decode(file, context: wide))
        #expect(narrow.metadata.iccProfile == nil && narrow.metadata.notes.isEmpty)
        #expect(wide.metadata.iccProfile == OutputColorSpace.displayP3.iccProfile && wide.bitmap != narrow.bitmap)
    }

    @Test(arguments: [ImageFormat.png, .jpeg, .webp, .gif])
    func filesLookLikeTheImage(_ format: ImageFormat) throws {
        let image = try coders.decode(file(ProfileBuilder.adobeRGB.data), context: wide)
        let data = try coders.encode(image, as: format, context: wide)
        let isWritten = try coders.info(of: data).iccProfile == OutputColorSpace.displayP3.iccProfile
        #expect(isWritten == (format != .gif))
        let expected = try coders.decode(file(ProfileBuilder.adobeRGB.data)).bitmap
        #expect(try coders.decode(data).bitmap.meanDifference(to: expected) < 4)
    }

    @Test func resultHasAKeyAndIsStoredWithItsProfile() async throws {
        let directory = try TemporaryDirectory()
        let data = try file(ProfileBuilder.adobeRGB.data, .jpeg)
        let context = ImageContext {
            ($0.colorSpace, $0.thumbnail, $0.waitsForStore) = (.displayP3, .fit(12, 12), true)
        }
        func load() async throws -> LoadResult {
            let manager = try ImageManager.standard(cacheDirectory: directory.url) { $0.install(FakeLoader(data)) }
            return try await manager.load(URL(string: "http://example.com/a.jpg")!, context: context)
        }
        let (first, again) = try await (load(), load())
        #expect(first.key?.variant.contains("ColorSpace(p3)") == true)
        #expect(again.origin == .disk)
        #expect(again.image.metadata.iccProfile == OutputColorSpace.displayP3.iccProfile)
        #expect(again.image.bitmap.meanDifference(to: first.image.bitmap) < 1.5)
    }
}
