import DarkroomCore
import DarkroomFiles
import DarkroomTestKit
import FoundationEssentials
import Testing

@testable import DarkroomCaches

/// Peeking has no side effects.
@Suite struct PeekTests {
    private let folder: TemporaryDirectory
    private let cache: DiskDataCache
    private let key = CacheKey(source: "https://example.com/a.png")

    init() throws {
        folder = try TemporaryDirectory()
        cache = try folder.cache()
        try cache.store.store(DataEntry(Data([1]), metadata: EntryRecordTests.full), for: key)
        try folder.age(key, bySeconds: 3600)
    }

    private func status() throws -> FileStatus { try FileStatus(of: FilePath(text: folder.file(of: key).path)) }

    @Test func peekIsNotAUse() async throws {
        await cache.waitForOpeningScan()
        let before = try status()
        #expect(try await cache.peek(at: key) == DataEntry(Data([1]), metadata: EntryRecordTests.full))
        #expect(try await cache.peek(at: "b") == nil)
        #expect(try status() == before)
        let stats = try await cache.stats()
        #expect(stats.hitCount == 0 && stats.missCount == 0)
    }

    @Test func expiredEntryIsAMissAndStays() async throws {
        cache.ageLimit = .seconds(60)
        let before = try status()
        #expect(try await cache.peek(at: key) == nil)
        #expect(try status() == before)
    }

    @Test func damagedEntryIsAMissAndStays() async throws {
        var damaged = try Data(contentsOf: folder.file(of: key))
        damaged[0] ^= 1
        try damaged.write(to: folder.file(of: key))
        #expect(try await cache.peek(at: key) == nil)
        #expect(try Data(contentsOf: folder.file(of: key)) == damaged)
    }

    @Test func anotherKeyWithTheSameFileIsAMiss() async throws {
        let other = CacheKey(source: "a.png", variant: ["B-C"])
        try await cache.store(DataEntry(Data([1])), for: CacheKey(source: "a.png", variant: ["B", "C"]))
        #expect(try await cache.peek(at: other) == nil)
    }

    @Test func peekDoesNotPromoteHits() async throws {
        let upper = FakeDataCache()
        var policies = TierPolicies()
        policies.promotesHits = true
        let before = try status()
        let tiers = TieredDataCache([upper, cache], policies: policies)
        #expect(try await tiers.peek(at: key)?.data == Data([1]))
        #expect(try status() == before && upper.keys.isEmpty)
    }

    @Test(arguments: [true, false]) func explainChangesNothing(_ isWhole: Bool) async throws {
        await cache.waitForOpeningScan()
        if !isWhole { try Data([7]).write(to: folder.file(of: key)) }
        let before = try status()
        let manager = try ImageManager { $0.dataCache = cache }
        let url = try #require(URL(string: key.source))
        let plan = await manager.explain(url)
        #expect(plan.steps.contains { $0.location == "original on disk" && ($0.finding == "miss") != isWhole })
        #expect(try status() == before)
    }
}
