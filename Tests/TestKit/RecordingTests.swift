import DarkroomCaches
import DarkroomCore
import DarkroomTestKit
import FoundationEssentials
import Testing

/// Recording caches, and the clock of a manager.
@Suite struct RecordingTests {
    private static let url = URL(string: "https://example.com/card.plain")!

    private static var file: Data { PlainCoder.file(of: .testCard(4, 3)) }

    @Test func callsOfALoadAreRecordedInOrder() async throws {
        let (images, data) = (RecordingImageCache(), RecordingDataCache())
        let manager = try ImageManager {
            $0.install(FakeLoader(Self.file))
            $0.install(PlainCoder())
            $0.imageCache = images
            $0.dataCache = data
        }
        let key = CacheKey(source: Self.url.absoluteString)
        _ = try await manager.load(Self.url, context: ImageContext { $0.waitsForStore = true })
        #expect(data.calls.values.contains(.store(key, byteCount: Self.file.count)))
        #expect(images.calls.values.first == .image(key, found: false))
        #expect(images.calls.values.last == .store(key))
        let (dataCallCount, imageCallCount) = (data.calls.values.count, images.calls.values.count)
        _ = try await manager.load(Self.url)
        #expect(images.calls.values.dropFirst(imageCallCount).contains(.image(key, found: true)))
        #expect(data.calls.values.count == dataCallCount, "a memory hit does not ask the data cache")
    }

    @Test func recordingCachesPassTheContracts() async throws {
        try await ImageCacheContract { RecordingImageCache() }.checkAll()
        try await DataCacheContract { RecordingDataCache(try DiskDataCache(directory: $0)) }.checkAll()
    }

    @Test func managerTakesItsTimeFromAClock() async throws {
        let (clock, origin) = (ManualClock(), FakeOrigin(.fresh(Self.file, for: .seconds(60))))
        let manager = try ImageManager {
            $0.install(origin)
            $0.install(PlainCoder())
            $0.imageCache = FakeImageCache()
            $0.now = { clock.date }
        }
        _ = try await manager.load(Self.url)
        clock.advance(by: .seconds(59))
        _ = try await manager.load(Self.url)
        #expect(origin.requests.count == 1)
        clock.advance(by: .seconds(2))
        _ = try await manager.load(Self.url)
        #expect(origin.requests.count == 2)
    }

    @Test func countsAndUsageCanBeCreated() {
        #expect(Prefetcher.Counts(finished: 2, total: 5) != Prefetcher.Counts())
        #expect(DiskDataCache.Usage(count: 1, byteCount: 9).byteCount == 9)
    }
}
