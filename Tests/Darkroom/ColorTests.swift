import Darkroom
import DarkroomTestKit
import FoundationEssentials
import TestSupport
import Testing

/// Colour profiles on the way from a file to a delivered image.
@Suite(.bounded)
struct ColorTests {
    private let bitmap = Bitmap(24, 16) { x, y in Color(red: UInt8(40 + x * 8), green: UInt8(60 + y * 8), blue: 90) }
    private let url = URL(string: "http://example.com/a.jpg")!

    /// Encodes the image as a JPEG with `profile`.
    private func jpeg(_ profile: Data?) throws -> Data {
        var image = Image(info: ImageInfo(format: .jpeg, storedSize: bitmap.size), bitmap: bitmap)
        image.metadata.iccProfile = profile
        return try CoderRegistry([JPEGCoder()]).encode(image, as: .jpeg)
    }

    private func load(
        _ data: Data, _ context: ImageContext = .init()
    ) async throws -> LoadResult {
        let manager = try ImageManager {
            $0.install(StandardPlugins())
            $0.install(FakeLoader(data))
        }
        return try await manager.load(url, context: context)
    }

    @Test func imagesAreConvertedToSRGB() async throws {
        let image = try await load(try jpeg(ProfileBuilder.displayP3.data)).image
        let plain = try await load(try jpeg(nil)).image
        #expect(image.metadata.iccProfile == nil)
        #expect(image.metadata.notes.isEmpty)
        let (color, stored) = try (#require(image.bitmap.color(x: 20, y: 2)), #require(plain.bitmap.color(x: 20, y: 2)))
        // In Display P3 the same values are more saturated: more red, and less of the other channels.
        #expect(color.red > stored.red + 4)
        #expect(color.green < stored.green)
    }

    @Test func conversionCanBeDisabled() async throws {
        let profile = ProfileBuilder.displayP3.data
        let kept = try await load(try jpeg(profile), ImageContext { $0.keepsProfile = true })
        #expect(kept.image.metadata.iccProfile == profile)
        #expect(kept.image.bitmap == (try await load(try jpeg(nil)).image.bitmap))
        #expect(kept.key?.variant == ["KeepProfile(1)"])
    }

    @Test func brokenProfileIsIgnoredAndNoted() async throws {
        var broken = ProfileBuilder.displayP3.data
        // This sets the number of tags to zero.
        broken.replaceSubrange(128..<132, with: [0, 0, 0, 0])
        let image = try await load(try jpeg(broken)).image
        #expect(image.metadata.notes.count == 1)
        #expect(image.metadata.notes.first?.hasPrefix("the colour profile is ignored: ") == true)
        #expect(image.metadata.iccProfile == nil)
        #expect(image.bitmap == (try await load(try jpeg(nil)).image.bitmap))
    }

    @Test func sRGBIsUnchanged() async throws {
        let image = try await load(try jpeg(ProfileBuilder.sRGB.data)).image
        #expect(image.bitmap == (try await load(try jpeg(nil)).image.bitmap))
        #expect(image.metadata.notes.isEmpty)
    }

    @Test func thumbnailsAreConverted() async throws {
        let data = try jpeg(ProfileBuilder.displayP3.data)
        var context = ImageContext { $0.thumbnail = .fit(12, 12) }
        let converted = try await load(data, context).image
        context.keepsProfile = true
        let kept = try await load(data, context).image
        var conversion = try #require(try LittleCMSConverter().makeRowConversion(for: kept.info))
        var pixels = kept.bitmap.bytes
        var span = pixels.mutableSpan
        conversion.convert(&span)
        #expect(converted.size == PixelSize(12, 8))
        #expect(converted.bitmap.bytes == pixels)
        #expect(pixels != kept.bitmap.bytes)
    }

    @Test func storedResultsPreserveTheirProfile() async throws {
        let directory = try TemporaryDirectory()
        let profile = ProfileBuilder.displayP3.data
        let data = try jpeg(profile)
        let context = ImageContext {
            $0.keepsProfile = true
            $0.thumbnail = .fit(12, 12)
            $0.waitsForStore = true
        }
        func load() async throws -> LoadResult {
            let manager = try ImageManager.standard(cacheDirectory: directory.url) {
                $0.install(FakeLoader(data))
                $0.resultFormat = .only(.jpeg)
            }
            return try await manager.load(url, context: context)
        }
        let (first, again) = try await (load(), load())
        #expect(again.origin == .disk)
        #expect(again.image.metadata.iccProfile == profile)
        #expect(again.image.bitmap.meanDifference(to: first.image.bitmap) < 1.5)
    }

    /// Without the calibration, the meaning of the values would be lost.
    @Test func calibrationIsAppliedEvenIfProfilesArePreserved() throws {
        var registry = CoderRegistry([CalibratedCoder()])
        registry.colorConverter = LittleCMSConverter()
        let image = try registry.decode(PlainCoder.file(of: bitmap), context: ImageContext { $0.keepsProfile = true })
        let (color, stored) = try (#require(image.bitmap.color(x: 0, y: 0)), #require(bitmap.color(x: 0, y: 0)))
        #expect(color.red > stored.red + 40)
        #expect(image.metadata.iccProfile == nil)
    }
}

/// Declares that values are proportional to light.
private struct CalibratedCoder: ImageCoder {
    private let base = PlainCoder()

    var formats: [ImageFormat] { base.formats }

    func info(of request: InfoRequest) throws -> ImageInfo {
        var info = try base.info(of: request)
        info.calibration = Calibration(exponent: 1)
        return info
    }

    func decode(_ request: DecodeRequest) throws -> Bitmap { try base.decode(request) }
}
