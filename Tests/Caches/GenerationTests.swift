import DarkroomCore
import DarkroomFiles
import DarkroomTestKit
import FoundationEssentials
import Testing

@testable import DarkroomCaches

/// Generations of a disk cache, which all processes that share its folder have in common.
@Suite struct GenerationTests {
    private let folder: TemporaryDirectory
    private let key = CacheKey(source: "a", variant: ["V"])

    init() throws { folder = try TemporaryDirectory() }

    @Test func ticketEndsWhenAnotherCacheOfTheFolderRemovesTheSource() async throws {
        let (one, two) = (try folder.cache(), try folder.cache())
        let ends: [(DiskDataCache) async throws -> Void] = [
            { try await $0.remove(key) },
            { try await $0.removeAll(ofSource: key.source) },
            { try await $0.removeAll() },
            { _ = try await $0.startGeneration(of: SourceResponse(of: key.source, at: .now()), after: nil) },
        ]
        for end in ends {
            let ticket = try await one.ticket(forSource: key.source)
            try await one.store(DataEntry(Data([1])), for: key, with: ticket)
            #expect(try await two.contains(key))
            try await end(two)
            try await one.store(DataEntry(Data([1])), for: key, with: ticket)
            #expect(try await !two.contains(key))
        }
        #expect(try folder.files().isEmpty)
    }

    /// The ticket stores what replaces the entry, so it must not be lost with that.
    @Test(.bug(id: "18.5")) func lookupOfADamagedEntryReturnsAValidTicket() async throws {
        let cache = try folder.cache()
        try await cache.store(DataEntry(Data([1])), for: key)
        try Data("damaged".utf8).write(to: folder.file(of: key))
        let lookup = await cache.lookUp(key)
        #expect(try lookup.entry.get() == nil)
        try await cache.store(DataEntry(Data([2])), for: key, with: lookup.ticket)
        #expect(try await cache.lookUp(key).entry.get()?.data == Data([2]))
    }

    @Test(.bug(id: "18.5")) func lookupThatIsCancelledStoresNothing() async throws {
        let cache = try folder.cache()
        let lookup = await Task {
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            return await cache.lookUp(key)
        }.value
        #expect(throws: ImageError.self) { try lookup.entry.get() }
        try await cache.store(DataEntry(Data([1])), for: key, with: lookup.ticket)
        #expect(try await !cache.contains(key))
    }

    @Test func generationsOutliveTheProcess() async throws {
        let moment = LoadMoment.now()
        var cache: DiskDataCache? = try folder.cache()
        let ticket = try #require(try await cache?.ticket(forSource: key.source))
        try await cache?.removeAll(ofSource: key.source)
        cache = nil
        let reopened = try folder.cache()
        try await reopened.store(DataEntry(Data([1])), for: key, with: ticket)
        #expect(try await !reopened.contains(key))
        #expect(
            try await reopened.startGeneration(of: SourceResponse(of: key.source, at: moment), after: ticket) == nil)
    }

    @Test(arguments: [false, true]) func interruptedRemovalIsEndedBeforeTheSourceIsUsed(_ isOpen: Bool) async throws {
        let cache = try folder.cache()
        try await cache.store(DataEntry(Data([1])), for: key)
        let shard = Shard(ofSource: key.source)
        let open = isOpen ? try folder.cache() : nil
        // As a process leaves it that was killed before it has removed the first entry.
        try cache.store.directory.usage.withLock { table in
            var generations = try table.generations(of: shard)
            generations.isInRemoval = true
            try table.setGenerations(generations, of: shard)
        }
        let other = try open ?? folder.cache()
        _ = try await other.ticket(forSource: key.source)
        #expect(try await other.entry(for: key) == nil)
        try await other.store(DataEntry(Data([2])), for: key)
        #expect(try await cache.entry(for: key)?.data == Data([2]))
    }

    /// The update may have read the entry before the removal began.
    @Test(.bug(id: "18.5")) func updateDuringARemovalDoesNotBringTheEntryBack() async throws {
        let cache = try folder.cache()
        try await cache.store(DataEntry(Data([1])), for: key)
        let shards = try cache.store.directory.beginRemoval()
        try await cache.update(DataEntry.Metadata(), for: key)
        for shard in shards { try cache.store.directory.endRemoval(of: shard) }
        #expect(try await !cache.contains(key))
        #expect(try folder.files().isEmpty)
    }

    @Test(.bug(id: "18.5")) func storeDuringARemovalIsCountedOnce() async throws {
        let cache = try folder.cache()
        try await cache.store(DataEntry(Data([1])), for: key)
        _ = try cache.store.directory.beginRemoval()
        try await cache.store(DataEntry(Data([2])), for: key)
        #expect(try cache.store.directory.total().count == 1)
        #expect(try await cache.entry(for: key)?.data == Data([2]))
    }

    @Test func interruptedClearingIsEndedWhenTheFolderIsOpened() async throws {
        let cache = try folder.cache()
        for index in 0..<20 { try await cache.store(DataEntry(Data([1])), for: CacheKey(source: "\(index)")) }
        _ = try cache.store.directory.beginRemoval()
        let reopened = try folder.cache()
        #expect(try folder.files().isEmpty)
        #expect(try reopened.store.directory.total() == .none)
    }

    @Test func clearingThatBeginsDuringAnotherOneRemovesEverything() async throws {
        let (one, two) = (try folder.cache(), try folder.cache())
        try await one.store(DataEntry(Data([1])), for: key)
        let shards = try one.store.directory.beginRemoval()
        try await two.removeAll()
        #expect(try folder.files().isEmpty)
        for shard in shards { try one.store.directory.endRemoval(of: shard) }
        try await two.store(DataEntry(Data([2])), for: key)
        #expect(try await one.contains(key))
    }

    /// Generations are read and written in groups of shards.
    @Test(arguments: [nil, 0, 255, 256, 4095]) func clearingEndsTheTicketsOfAllShards(damagedShard: Int?) async throws {
        let cache = try folder.cache()
        let keys = (0..<100).map { CacheKey(source: "\($0)") }
        var tickets: [CacheKey: StoreTicket] = [:]
        for key in keys {
            tickets[key] = try await cache.ticket(forSource: key.source)
            try await cache.store(DataEntry(Data([1])), for: key)
        }
        if let damagedShard {
            let path = FilePath(text: folder.url.appending(path: "darkroom-usage").path)
            let file = try FileDescriptor(path, for: .changing)
            let offset = UsageTable.generationsOffset + damagedShard * MemoryLayout<StoredGenerations>.stride
            unsafe try withUnsafeBytes(of: UInt64.max) { unsafe try file.write($0, at: offset) }
        }
        try await cache.removeAll()
        for (key, ticket) in tickets { try await cache.store(DataEntry(Data([2])), for: key, with: ticket) }
        #expect(try folder.files().isEmpty)
        #expect(try cache.store.directory.usage.withLock { try $0.unfinishedShards() }.isEmpty)
        try await cache.store(DataEntry(Data([3])), for: key, with: try await cache.ticket(forSource: key.source))
        #expect(try await cache.contains(key))
    }

    @Test func damagedGenerationsDoNotRemoveEntries() async throws {
        let cache = try folder.cache()
        try await cache.store(DataEntry(Data([1])), for: key)
        try Data(repeating: 0xFF, count: 300_000).write(to: folder.url.appending(path: "darkroom-usage"))
        let reopened = try folder.cache()
        _ = try await reopened.ticket(forSource: key.source)
        #expect(try await reopened.entry(for: key)?.data == Data([1]))
    }
}
