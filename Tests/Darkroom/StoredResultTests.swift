import Darkroom
import DarkroomTestKit
import FoundationEssentials
import TestSupport
import Testing

/// Results on disk are visually lossless, and small.
@Suite(.bounded)
struct StoredResultTests {
    private static let url = URL(string: "http://example.com/a")!
    private let coders = CoderRegistry.standard

    /// Smooth colours with a little noise, as a camera delivers them.
    private static func photograph(hasAlpha: Bool = false) -> Bitmap {
        var random = SeededGenerator(seed: 4)
        return Bitmap(720, 540, hasAlpha: hasAlpha) { x, y in
            let noise = Int.random(in: 0...9, using: &random)
            return Color(
                red: UInt8(40 + x / 4 + noise), green: UInt8(80 + y / 4 + noise), blue: UInt8(90 + (x + y) / 9 + noise),
                alpha: hasAlpha ? UInt8(min(255, 20 + x)) : 255)
        }
    }

    private static let graphic = Bitmap(160, 120) { x, y in
        x / 40 == y / 40 ? .white : Color(red: 9, green: 9, blue: 200)
    }

    /// Returns the file that is stored for a thumbnail of `image`, and the thumbnail.
    private func stored(_ image: Image, side: Double = 640) async throws -> (file: Data, made: Bitmap) {
        let directory = try TemporaryDirectory()
        let data = try coders.encode(image, as: .png)
        let context = ImageContext {
            $0.thumbnail = .fit(side, side)
            $0.waitsForStore = true
        }
        var results: [LoadResult] = []
        for _ in 0..<2 {
            let manager = try ImageManager.standard(cacheDirectory: directory.url) { $0.install(FakeLoader(data)) }
            results.append(try await manager.load(Self.url, context: context))
        }
        #expect(results[1].origin == .disk && results[1].image.size == results[0].image.size)
        return (try #require(results[1].encodedData), results[0].image.bitmap)
    }

    private func still(_ bitmap: Bitmap) -> Image {
        Image(info: ImageInfo(format: .png, storedSize: bitmap.size), bitmap: bitmap)
    }

    @Test(arguments: [(false, ImageFormat.jpeg), (true, .webp)])
    func photographIsStoredInLessThanHalfOfTheBytesOfAPNG(_ hasAlpha: Bool, _ format: ImageFormat) async throws {
        let (file, made) = try await stored(still(Self.photograph(hasAlpha: hasAlpha)))
        #expect(try coders.info(of: file).format == format)
        #expect(try file.count < coders.encode(still(made), as: .png).count / 2)
        let shown = try coders.decode(file).bitmap
        #expect(shown.hasAlpha == hasAlpha && shown.meanDifference(to: made) < 2)
    }

    /// A WebP, which has chroma at half the resolution, shows the difference at the edges of petals before leaves.
    @Test func smallPictureWithAlphaIsStoredWithoutLosses() async throws {
        for (side, format) in [(80.0, ImageFormat.png), (479, .png), (480, .webp)] {
            let (file, made) = try await stored(still(Self.photograph(hasAlpha: true)), side: side)
            #expect(try coders.info(of: file).format == format)
            #expect(try (coders.decode(file).bitmap == made) == (format == .png))
        }
        let petals = Bitmap(64, 48, hasAlpha: true) { x, y in
            let isPetal = (x * x + y * y) / 300 % 2 == 0
            return isPetal ? Color(red: 210, green: 60, blue: 110) : Color(red: 60, green: 130, blue: 50)
        }
        let context = ImageContext { $0.quality = 1 }
        let webP = try coders.decode(coders.encode(still(petals), as: .webp, context: context)).bitmap
        let comparator = try #require(coders.comparator)
        #expect(try comparator.score(of: webP, reference: petals) {} < VisualQuality.visuallyLossless.score)
    }

    @Test func tinyPictureIsStoredWithoutTheTablesOfAJPEG() async throws {
        let (file, made) = try await stored(still(Self.photograph()), side: 24)
        #expect(try coders.info(of: file).format == .png)
        let jpeg = try coders.encode(still(made), as: .jpeg, context: ImageContext { $0.quality = 0.93 })
        #expect(file.count < jpeg.count)
    }

    @Test(arguments: [(1, 0.93), (479, 0.93), (480, 0.92), (9000, 0.92)])
    func smallPictureHasAHigherQuality(_ side: Int, _ quality: Double) {
        #expect(DefaultQuality.stored(at: PixelSize(side, 1)) == quality)
        #expect(DefaultQuality.stored(at: PixelSize(1, side)) == quality)
    }

    @Test func graphicIsStoredWithoutLosses() async throws {
        let (file, made) = try await stored(still(Self.graphic))
        #expect(try coders.info(of: file).format == .png)
        #expect(try coders.decode(file).bitmap == made)
    }

    @Test func animationIsStoredWithItsFrames() async throws {
        let frames = (0..<3).map { _ in Frame(Self.photograph(), duration: .milliseconds(70)) }
        let (file, _) = try await stored(try #require(Image(frames: frames)))
        let info = try coders.info(of: file)
        #expect(info.format == .png && info.frameDurations == frames.map(\.duration))
    }

    /// Everything else is made of it.
    @Test func imageOfTheAppInPlaceOfAnOriginalIsStoredWithoutLosses() async throws {
        let directory = try TemporaryDirectory()
        let bitmap = Self.photograph()
        for origin in [nil, LoadResult.Origin.disk] {
            let manager = try ImageManager.standard(cacheDirectory: directory.url) { $0.install(FakeLoader(Data())) }
            if origin == nil { try await manager.store(still(bitmap), for: Self.url) }
            let result = try await manager.load(Self.url, context: ImageContext { $0.cacheUse = .cacheOnly })
            #expect(result.image.bitmap == bitmap && result.origin == origin ?? .memory)
        }
    }

    @Test func formatForAllResultsMayBeSet() async throws {
        let directory = try TemporaryDirectory()
        let data = try coders.encode(still(Self.photograph()), as: .png)
        let manager = try ImageManager.standard(cacheDirectory: directory.url) {
            $0.install(FakeLoader(data))
            $0.resultFormat = .only(.png)
            $0.imageCache = nil
        }
        let context = ImageContext {
            $0.thumbnail = .fit(80, 80)
            $0.waitsForStore = true
        }
        let made = try await manager.load(Self.url, context: context).image.bitmap
        let stored = try await manager.load(Self.url, context: context)
        #expect(stored.origin == .disk && stored.image.bitmap == made)
    }
}
