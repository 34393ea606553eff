import DarkroomCore
import DarkroomPlatform
import DarkroomTestKit
import Dispatch
import FoundationEssentials
import Testing

@testable import DarkroomCaches

/// Tests the guarantee of `DiskDataCache` about processes that are killed while writing.
///
/// `DARKROOM_KILLS` is the number of rounds, each with four processes:
///
///     DARKROOM_KILLS=2000 swift test --disable-default-traits --filter KillTests
@Suite struct KillTests {
    static let byteLimit = 60_000

    private static let chosenRoundCount = ProcessInfo.processInfo.environment["DARKROOM_KILLS"].flatMap { Int($0) }

    /// Some processes at a time share a folder, so that one continues while another dies.
    @Test func entriesOfKilledProcessesAreIntactOrMissing() async throws {
        let folder = try TemporaryDirectory()
        let childCount = Self.chosenRoundCount == nil ? 2 : 4
        for round in 0..<(Self.chosenRoundCount ?? 100) {
            await withTaskGroup { group in
                for child in 0..<childCount {
                    group.addTask { await Self.writeAndDie(in: folder.url.path, seed: childCount * round + child) }
                }
            }
            if round % 20 == 19 { try await Self.checkAll(in: folder) }
        }
    }

    private static func writeAndDie(in path: String, seed: Int) async {
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String, seed = seed as Int] in
            let url = URL(filePath: path, directoryHint: .isDirectory)
            let cache = try DiskDataCache(directory: url, byteLimit: KillTests.byteLimit)
            var random = SeededGenerator(seed: seed)
            let moment = DispatchTime.now() + .microseconds(Int.random(in: 0...20_000, using: &random))
            DispatchQueue(label: "killer").asyncAfter(deadline: moment) { kill(getpid(), SIGKILL) }
            while true { try KillTests.write(to: cache.store, &random) }
        }
    }

    /// All bytes of an entry are equal, and its metadata contains their value and count.
    static func write(to store: EntryStore, _ random: inout SeededGenerator) throws {
        let key = CacheKey(source: "\(Int.random(in: 0..<40, using: &random)).png")
        let byte = UInt8.random(in: 0...255, using: &random)
        let count = Int.random(in: 0..<6000, using: &random)
        var metadata = DataEntry.Metadata()
        let description = "\(key.source) \(byte) \(count)"
        metadata.extendedData = Data(description.utf8)
        // The version prevents metadata read here from being written next to bytes stored in between.
        metadata.original = OriginalVersion(revision: description)
        switch Int.random(in: 0..<12, using: &random) {
        case 0: try store.remove(key)
        case 10, 11:
            let response = SourceResponse(of: key.source, at: .now(), revision: description)
            _ = try store.startGeneration(of: response, after: nil)
        case 1: try store.removeAll(ofSource: key.source)
        case 2: if let metadata = try store.entry(for: key)?.metadata { try store.update(metadata, for: key) }
        default: try store.store(DataEntry(Data(repeating: byte, count: count), metadata: metadata), for: key)
        }
    }

    /// Checks that the sources of all entries are in the filters of their shards, of which there are some.
    private static func checkFilters(of cache: DiskDataCache) throws {
        let directory = cache.store.directory
        let sources = (0..<40).map { "\($0).png" }.filter { (try? cache.store.contains(CacheKey(source: $0))) == true }
        let filters = try sources.map { source in
            let filter = try directory.usage.withLock { try $0.sourceFilter(of: Shard(ofSource: source)) }
            #expect(filter?.mayContain(MD5Digest(of: source)) != false)
            return filter
        }
        #expect(filters.contains { $0 != nil })
    }

    private static func checkAll(in folder: TemporaryDirectory) async throws {
        let cache = try folder.cache(byteLimit: byteLimit)
        await cache.waitForOpeningScan()
        #expect(try await cache.verify().removedCount == 0)
        var found = 0
        for index in 0..<40 {
            let key = CacheKey(source: "\(index).png")
            guard let entry = try await cache.entry(for: key) else { continue }
            found += 1
            let described = "\(key.source) \(entry.data.first.map(Int.init) ?? 0) \(entry.data.count)"
            #expect(entry.metadata.extendedData == Data(described.utf8) || entry.data.isEmpty)
            #expect(Set(entry.data).count <= 1)
        }
        #expect(found > 0)
        try checkFilters(of: cache)
        try await cache.store(DataEntry(Data(count: 10)), for: "last")
        let files = try folder.files().filter { !$0.contains("/.") }
        #expect(try cache.store.directory.total().count == files.count)
        #expect(try cache.store.directory.total().byteCount <= byteLimit)
    }
}
