import DarkroomCaches
import DarkroomCore
import DarkroomTestKit
import FoundationEssentials
import Testing

/// Several originals of one source, which differ by options that affect it.
@Suite struct SourceOptionTests {
    private static let keys: [CacheKey] = [[], ["V"], ["Source(A)"], ["Source(A)", "V"], ["Source(A)", "Source(B)"]].map
    {
        CacheKey(source: "a", variant: $0)
    }

    @Test(arguments: [0, 2, 4]) func responseReplacesOnlyTheEntriesOfItsOriginal(_ index: Int) async throws {
        let folder = try TemporaryDirectory()
        let response = SourceResponse(of: Self.keys[index], at: .now())
        let caches: [any DataCache] = [MemoryDataCache(), try DiskDataCache(directory: folder.url), FakeDataCache()]
        for cache in caches {
            for key in Self.keys { try await cache.store(DataEntry(Data([1])), for: key) }
            _ = try await cache.startGeneration(of: response, after: nil)
            for key in Self.keys {
                #expect(try await cache.contains(key) == (key.original != Self.keys[index]), "\(key) in \(cache)")
            }
            try await cache.removeAll(ofSource: "a")
            for key in Self.keys { #expect(try await !cache.contains(key), "\(key) in \(cache)") }
        }
    }

    @Test(arguments: [0, 2, 4]) func responseReplacesOnlyTheImagesOfItsOriginal(_ index: Int) {
        let image = Image(info: ImageInfo(format: .png, storedSize: PixelSize(1, 1)), bitmap: .testCard(1, 1))
        let response = SourceResponse(of: Self.keys[index], at: .now())
        for cache in [MemoryImageCache(), FakeImageCache()] as [any ImageCache] {
            for key in Self.keys { cache.store(image, for: key) }
            _ = cache.startGeneration(of: response, after: nil)
            for key in Self.keys {
                #expect(cache.contains(key) == (key.original != Self.keys[index]), "\(key) in \(cache)")
            }
            cache.removeAll(ofSource: "a")
            for key in Self.keys { #expect(!cache.contains(key), "\(key) in \(cache)") }
        }
    }
}
