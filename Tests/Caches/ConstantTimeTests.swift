import DarkroomCore
import DarkroomFiles
import DarkroomTestKit
import FoundationEssentials
import TestSupport
import Testing

@testable import DarkroomCaches

/// The cost of an operation does not depend on the number of entries.
@Suite struct ConstantTimeTests {
    @Test(.bug(id: "Fix cold loads that open every entry of the shard"))
    func systemCallsPerOperationDoNotGrowWithTheCache() async throws {
        let empty = try await calls(with: 0)
        let full = try await calls(with: 500)
        #expect(empty == full)
        #expect(!full.contains(.list))
    }

    /// The lock is then held for the time of reading them from the page cache, even if they were on a slow disk.
    @Test func entriesAreReadWithoutTheLockFirst() throws {
        let folder = try TemporaryDirectory()
        let calls = Recorder<FileOperation>()
        let cache = try cache(in: folder, noting: calls)
        for source in Self.sources[1...] { try cache.store.store(DataEntry(Data([1])), for: CacheKey(source: source)) }
        for operation in [
            { try respond(from: Self.sources[0], in: cache) }, { try cache.store.directory.repair(Shard(index: 0)) },
        ] {
            let callCount = calls.values.count
            try operation()
            let made = calls.values.dropFirst(callCount)
            let lastLock = try #require(made.lastIndex(of: .lock))
            #expect(made[..<lastLock].contains(.list))
        }
    }

    /// Returns the system calls of a store, a hit, a miss, a removal, and a response of another source in a cache with
    /// `count` entries, all of them in the same shard.
    private func calls(with count: Int) async throws -> [FileOperation] {
        let folder = try TemporaryDirectory()
        let calls = Recorder<FileOperation>()
        let cache = try cache(in: folder, noting: calls)
        await cache.waitForOpeningScan()
        let (first, second, others) = (Self.sources[0], Self.sources[1], Self.sources[2...])
        for index in 0..<count {
            let key = CacheKey(source: others[2 + index % others.count], variant: ["\(index)"])
            try cache.store.store(DataEntry(Data([1])), for: key)
        }
        try cache.store.store(DataEntry(Data([1])), for: CacheKey(source: first))
        // The first response in a shard finds out which sources have entries.
        try respond(from: Self.sources[2], in: cache)
        let callCount = calls.values.count
        try cache.store.store(DataEntry(Data([2])), for: CacheKey(source: first))
        #expect(try cache.store.entry(for: CacheKey(source: first)) != nil)
        #expect(try cache.store.entry(for: CacheKey(source: second)) == nil)
        try cache.store.remove(CacheKey(source: first))
        try respond(from: second, in: cache)
        try cache.store.removeAll(ofSource: second)
        return Array(calls.values.dropFirst(callCount))
    }

    /// Creates a cache that notes its system calls, and does not scan its folder.
    private func cache(in folder: TemporaryDirectory, noting calls: Recorder<FileOperation>) throws -> DiskDataCache {
        let faults = FileFaults { call, byteCount in
            calls.note(call)
            return byteCount
        }
        return try folder.cache(scanInterval: nil, faults: faults)
    }

    private func respond(from source: String, in cache: DiskDataCache) throws {
        let ticket = try cache.store.ticket(forSource: source)
        #expect(try cache.store.startGeneration(of: SourceResponse(of: source, at: .now()), after: ticket) != nil)
    }

    /// Sources of the same shard.
    private static let sources = Array(
        (0...).lazy.map { "\($0)" }.filter { Shard(ofSource: $0).index == 0 }.prefix(10))
}
