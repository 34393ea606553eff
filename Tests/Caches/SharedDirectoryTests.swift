import DarkroomCore
import DarkroomFiles
import DarkroomTestKit
import FoundationEssentials
import Testing

@testable import DarkroomCaches

/// Two caches of one folder have different open files, and so exclude each other as two processes do.
@Suite struct SharedDirectoryTests {
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    @Test func concurrentReadersSeeOnlyIntactEntries() async throws {
        let caches = [try folder.cache(byteLimit: 40_000), try folder.cache(byteLimit: 40_000)]
        try await withThrowingTaskGroup { group in
            for task in 0..<6 {
                group.addTask { try await Self.work(on: caches[task % 2], seed: task) }
            }
            try await group.waitForAll()
        }
        #expect(try caches[0].store.directory.total() == caches[1].store.directory.total())
        #expect(try caches[0].store.directory.total().byteCount == folder.byteCount())
        #expect(try folder.byteCount() <= 40_000)
        #expect(try await caches[0].verify().removedCount == 0)
    }

    private static func work(on cache: DiskDataCache, seed: Int) async throws {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<100 {
            let key = CacheKey(source: "\(Int.random(in: 0..<20, using: &random))")
            switch Int.random(in: 0..<8, using: &random) {
            case 0: try await cache.remove(key)
            case 1: try await cache.update(EntryRecordTests.full, for: key)
            case 2: try await cache.removeAll(ofSource: key.source)
            case 3...5:
                let data = try await cache.entry(for: key)?.data
                #expect(data.map { Set($0).count <= 1 } ?? true, "bytes of two entries are mixed")
            default:
                let byte = UInt8.random(in: 0...255, using: &random)
                let data = Data(repeating: byte, count: Int.random(in: 0..<9000, using: &random))
                try await cache.store(DataEntry(data), for: key)
            }
        }
    }

    @Test func instancesCountEachOthersStores() async throws {
        let (one, two) = (try folder.cache(), try folder.cache(byteLimit: 5000))
        for index in 0..<10 { try await one.store(DataEntry(Data(count: 1000)), for: CacheKey(source: "\(index)")) }
        try await two.store(DataEntry(Data(count: 1000)), for: "a")
        #expect(try folder.byteCount() <= 5000)
        #expect(try await one.contains("a"))
        #expect(try await !one.contains("0"))
    }

    /// One process revalidates the first version while the other stores the second.
    @Test func metadataOfAnOlderVersionIsNotStoredWithNewerBytes() async throws {
        let (one, two) = (try folder.cache(), try folder.cache())
        var old = DataEntry(Data([1]), metadata: EntryRecordTests.full)
        var new = DataEntry(Data([2]), metadata: EntryRecordTests.full)
        old.metadata.original?.revision = "R1"
        new.metadata.original?.revision = "R2"
        try await one.store(old, for: "a")
        try await two.store(new, for: "a")
        try await one.update(old.metadata, for: "a")
        #expect(try await one.entry(for: "a") == new)
        new.metadata.extendedData = Data([3])
        try await one.update(new.metadata, for: "a")
        #expect(try await two.entry(for: "a") == new)
    }

    @Test func metadataUpdateDoesNotRevertNewerBytes() throws {
        let (one, two) = (try folder.cache(), try folder.cache())
        try one.store.store(DataEntry(Data([1])), for: "a")
        let name = EntryName("a")
        let file = try #require(try one.store.directory.open(name))
        try two.store.store(DataEntry(Data([2])), for: "a")
        let new = EntryDirectory.NewFile(name: name, parts: [Data([1])], source: MD5Digest(of: "a"))
        _ = try one.store.directory.write(new) { $0?.hasSameContent(as: file.status) ?? false }
        #expect(try one.store.entry(for: "a")?.data == Data([2]))
        #expect(try folder.files().count == 1)
    }
}
