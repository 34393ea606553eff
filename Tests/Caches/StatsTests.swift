import DarkroomCore
import DarkroomTestKit
import FoundationEssentials
import Testing

@testable import DarkroomCaches

@Suite struct StatsTests {
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    @Test func hitsAndMissesAreCounted() async throws {
        let cache = try folder.cache(byteLimit: 100_000, age: .seconds(7200))
        try await cache.store(DataEntry(Data(count: 100)), for: "a")
        try await cache.store(DataEntry(Data(count: 50)), for: "b")
        for key: CacheKey in ["a", "a", "b", "c"] { _ = try await cache.entry(for: key) }
        let stats = try await cache.stats()
        #expect(stats.usage == .init(count: 2, byteCount: 150))
        #expect(stats.hitCount == 3 && stats.missCount == 1)
        #expect(stats.evictionCount == 0 && stats.failureCount == 0)
        #expect(stats.byteLimit == 100_000 && stats.ageLimit == .seconds(7200))
    }

    @Test func oldestAndNewestUseAreReported() async throws {
        let cache = try folder.cache()
        #expect(try await cache.stats().oldestUse == nil)
        for key: CacheKey in ["a", "b", "c"] { try await cache.store(DataEntry(Data([1])), for: key) }
        try folder.age("a", bySeconds: 3600)
        try folder.age("b", bySeconds: 1800)
        try folder.age("c", bySeconds: 60)
        let stats = try await cache.stats()
        let (oldest, newest) = (try #require(stats.oldestUse), try #require(stats.newestUse))
        #expect(abs(newest.timeIntervalSince(oldest) - 3540) < 10)
        #expect(newest < .now)
    }

    @Test func evictionsAreCounted() async throws {
        let cache = try folder.cache(byteLimit: 500)
        for index in 0..<10 { try await cache.store(DataEntry(Data(count: 100)), for: CacheKey(source: "\(index)")) }
        let stats = try await cache.stats()
        #expect(stats.evictionCount == 10 - stats.usage.count)
        try folder.age("9", bySeconds: 8 * 24 * 3600)
        #expect(try await cache.entry(for: "9") == nil)
        #expect(try await cache.stats().evictionCount == stats.evictionCount + 1)
    }

    @Test func explicitRemovalIsNotAnEviction() async throws {
        let cache = try folder.cache()
        try await cache.store(DataEntry(Data([1])), for: "a")
        try await cache.remove("a")
        #expect(try await cache.stats().evictionCount == 0)
    }
}
