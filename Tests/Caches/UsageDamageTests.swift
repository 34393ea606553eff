import DarkroomCore
import DarkroomFiles
import DarkroomPlatform
import DarkroomTestKit
import FoundationEssentials
import TestSupport
import Testing

@testable import DarkroomCaches

/// Bits that flip in the file of totals, generations and filters. What a shard has there is tested for one that is in use.
///
/// One bit of some bytes flips by default. With `DARKROOM_CRASHES=all` each bit does:
///
///     DARKROOM_CRASHES=all swift test -c release -Xswiftc -enable-testing --filter UsageDamageTests
@Suite(.bounded) struct UsageDamageTests {
    private static let isComplete = ProcessInfo.processInfo.environment["DARKROOM_CRASHES"] == "all"
    private static let removed = CacheKey(source: CrashScenario.sources[0])
    private static let replaced = CacheKey(source: CrashScenario.sources[1])

    private let folder: TemporaryDirectory
    private let usage: FilePath
    private let sound: Data
    private let entry: Data
    /// The ticket of a load that began before its source was removed.
    private let ended: StoreTicket

    init() throws {
        folder = try TemporaryDirectory()
        usage = FilePath(text: folder.url.appending(path: "darkroom-usage").path)
        let store = Self.store(in: folder.url)
        try store.directory.prepare()
        for key in [Self.removed, Self.replaced] { try store.store(CrashScenario.entry(key, 1), for: key) }
        ended = try store.ticket(forSource: Self.removed.source)
        try store.removeAll(ofSource: Self.removed.source)
        try store.directory.recordScan()
        sound = try Data(contentsOf: URL(filePath: usage.text))
        entry = try Data(contentsOf: folder.file(of: Self.replaced))
        let filter = try store.directory.usage.withLock { try $0.sourceFilter(of: Self.shard) }
        #expect(filter?.mayContain(MD5Digest(of: Self.removed.source)) == false)
    }

    private static var shard: Shard { Shard(ofSource: removed.source) }

    /// The bytes of the shard, and of what all shards share.
    private static var bytes: [Int] {
        let (totals, generations) = (16, MemoryLayout<StoredGenerations>.stride)
        let filter = 512
        let ranges = [
            shard.index * totals..<(shard.index + 1) * totals,
            Shard.count * totals..<UsageTable.generationsOffset,
            UsageTable.generationsOffset + shard.index * generations..<UsageTable.generationsOffset
                + (shard.index + 1) * generations,
            UsageTable.end - (Shard.count - shard.index) * filter..<UsageTable.end
                - (Shard.count - shard.index - 1) * filter,
        ]
        return Array(ranges.joined())
    }

    private static func store(in folder: URL) -> EntryStore {
        EntryStore(EntryDirectory(FilePath(text: folder.path)), limits: .init(byteCount: 1 << 30))
    }

    @Test func flippedBitsNeitherShowNorKeepWhatWasRemoved() throws {
        var random = SeededGenerator(seed: 1)
        for (index, offset) in Self.bytes.enumerated() where Self.isComplete || index % 5 == 0 {
            let bits = Self.isComplete ? Array(0..<8) : [Int.random(in: 0..<8, using: &random)]
            for bit in bits { try check(flipping: 1 << UInt8(bit), at: offset) }
        }
    }

    private func check(flipping mask: UInt8, at offset: Int) throws {
        try write(sound)
        try write(Data([sound[offset] ^ mask]), at: offset)
        try entry.write(to: folder.file(of: Self.replaced))
        let (store, comment) = (Self.store(in: folder.url), Comment("bits \(mask) at \(offset)"))

        try store.store(CrashScenario.entry(Self.removed, 1), for: Self.removed, with: ended)
        #expect(try store.peek(at: Self.removed) == nil, comment)
        #expect(try store.entry(for: Self.replaced) == CrashScenario.entry(Self.replaced, 1), comment)
        let ticket = try store.ticket(forSource: Self.removed.source)
        try store.store(CrashScenario.entry(Self.removed, 2), for: Self.removed, with: ticket)
        #expect(try store.entry(for: Self.removed) == CrashScenario.entry(Self.removed, 2), comment)
        let response = SourceResponse(of: Self.replaced.source, at: .now(), revision: "2")
        _ = try store.startGeneration(of: response, after: nil)
        #expect(try store.peek(at: Self.replaced) == nil, comment)

        for shard in try store.directory.shards() { try store.directory.repair(shard) }
        let byteCount = try Data(contentsOf: folder.file(of: Self.removed)).count
        #expect(try store.directory.recomputedTotal() == ShardTotals(byteCount: byteCount, count: 1), comment)
        try store.removeAll(ofSource: Self.removed.source)
        #expect(try store.directory.recomputedTotal() == .none, comment)
    }

    private func write(_ data: Data, at offset: Int = 0) throws {
        // Filters are valid only in the very file.
        let file = try FileDescriptor(usage, for: .changing)
        if offset == 0 { try file.setLength(data.count) }
        unsafe try data.withUnsafeBytes { unsafe try file.write($0, at: offset) }
    }

    /// A shard whose totals are far too high seems to exceed the limit.
    @Test func totalsThatAreTooHighEvictNothing() async throws {
        let cache = try folder.cache(byteLimit: 100_000)
        await cache.waitForOpeningScan()
        for index in 0..<5 { try await cache.store(DataEntry(Data(count: 100)), for: CacheKey(source: "\(index)")) }
        try cache.store.directory.usage.withLock { table in
            try table.add(ShardTotals(byteCount: 1 << 40, count: 1), to: Shard(ofSource: "3"))
        }
        try await cache.store(DataEntry(Data(count: 100)), for: "last")
        #expect(try await cache.stats().evictionCount == 0)
        #expect(try cache.store.directory.total().byteCount == folder.byteCount())
    }
}
