import Darkroom
import DarkroomTestKit
import FoundationEssentials
import TestSupport
import Testing

/// Orientation × format × path: every path results in the same pixels.
@Suite(.bounded)
struct PipelineTests {
    private static let oriented = ["jpg", "png", "webp"].flatMap { format in
        (1...8).map { "\(Self.prefix(format))-orientation-\($0).\(format)" }
    }

    private static func prefix(_ format: String) -> String { format == "jpg" ? "jpeg" : format }

    private static func manager(in directory: URL) throws -> ImageManager {
        try ImageManager.standard(cacheDirectory: directory)
    }

    @Test(arguments: oriented)
    func everyPathShowsTheSamePixels(name: String) async throws {
        let fixture = Fixture(name)
        // A web source, because only originals from the web are stored on disk.
        let url = URL(string: "http://example.com/\(name)")!
        try await withTemporaryDirectory { directory in
            func manager() throws -> ImageManager {
                try ImageManager.standard(cacheDirectory: directory) { $0.install(FakeLoader(fixture.data)) }
            }
            let first = try manager()
            let whole = try await first.load(url)
            #expect(whole.origin == .network)
            // Other managers read from disk what this one has stored by then.
            await first.waitForStores()
            let expected = try fixture.expectedBitmap(hasAlpha: whole.image.bitmap.hasAlpha)
            #expect(whole.image.bitmap.largestDifference(to: expected) <= 2)
            #expect(try await first.load(url).image.bitmap == whole.image.bitmap)
            #expect(try await manager().load(url).image.bitmap == whole.image.bitmap)

            let small = ImageContext {
                $0.thumbnail = .fit(9, 9)
                $0.waitsForStore = true
            }
            let thumbnail = try await manager().load(url, context: small)
            #expect(thumbnail.origin == .original)
            let reference = try whole.image.bitmap.resized(to: Thumbnail.fit(9, 9).size(for: whole.image.size))
            #expect(thumbnail.image.bitmap.meanDifference(to: reference) < 12)
            let kept = try await manager().load(url, context: small)
            #expect(kept.origin == .disk)
            #expect(kept.image.bitmap == thumbnail.image.bitmap)
            #expect(kept.image.info.orientation == whole.image.info.orientation)
        }
    }

    @Test func fileIsLoadedAndItsThumbnailStored() async throws {
        try await withTemporaryDirectory { directory in
            let url = Fixture("png-orientation-6.png").url
            let small = ImageContext {
                $0.transformers = [.thumbnail(9, 9), .flip(horizontal: true)]
                $0.waitsForStore = true
            }
            let first = try await Self.manager(in: directory).load(url, context: small)
            #expect(first.origin == .local)
            #expect(first.key?.variant == ["Thumbnail({9.000000,9.000000},1)", "Flipping(1,0)"])
            let again = try await Self.manager(in: directory).load(url, context: small)
            #expect(again.origin == .disk)
            #expect(again.image.bitmap == first.image.bitmap)
        }
    }

    @Test func brokenEntryOnDiskIsReplaced() async throws {
        let fixture = Fixture("png-orientation-1.png")
        let url = URL(string: "http://example.com/a.png")!
        try await withTemporaryDirectory { directory in
            let cache = try DiskDataCache(directory: directory)
            try await cache.store(DataEntry(Data("no picture".utf8)), for: CacheKey(source: url.absoluteString))
            let manager = try ImageManager.standard(cacheDirectory: directory) { $0.install(FakeLoader(fixture.data)) }
            #expect(try await manager.load(url).origin == .network)
            await manager.waitForStores()
            #expect(try await cache.entry(for: CacheKey(source: url.absoluteString))?.data == fixture.data)
        }
    }
}
