import DarkroomCore
import DarkroomFiles
import DarkroomTestKit
import FoundationEssentials
import Testing

@testable import DarkroomCaches

@Suite struct DiskDataCacheTests {
    private let folder: TemporaryDirectory
    private let cache: DiskDataCache

    init() throws {
        folder = try TemporaryDirectory()
        cache = try folder.cache()
    }

    @Test(arguments: [0, 1, 14, 15, 20_000, 3_000_000]) func storedEntryIsFound(_ byteCount: Int) async throws {
        var random = SeededGenerator(seed: byteCount)
        let entry = DataEntry(random.bytes(byteCount), metadata: EntryRecordTests.full)
        try await cache.store(entry, for: "http://example.com/a.png")
        #expect(try await cache.entry(for: "http://example.com/a.png") == entry)
        #expect(try await cache.contains("http://example.com/a.png"))
        #expect(try await cache.entry(for: "http://example.com/b.png") == nil)
        #expect(try await !cache.contains("http://example.com/b.png"))
        #expect(try await cache.usage() == .init(count: 1, byteCount: byteCount))
    }

    @Test func dataOfAnEntryIsNotASlice() async throws {
        try await cache.store(DataEntry(Data([1, 2, 3])), for: "a")
        var data = try #require(try await cache.entry(for: "a")).data
        #expect(data.indices == 0..<3)
        data.append(4)
        #expect(data == Data([1, 2, 3, 4]))
    }

    @Test func fileStartsWithTheImage() async throws {
        let picture = Data("\u{89}PNG and so on".utf8)
        try await cache.store(DataEntry(picture), for: "a.png")
        #expect(try Data(contentsOf: folder.file(of: "a.png")).starts(with: picture))
        #expect(try folder.files().count == 1)
    }

    @Test func otherInstancesSeeStoredEntries() async throws {
        let other = try folder.cache()
        try await cache.store(DataEntry(Data([1])), for: "a")
        #expect(try await other.entry(for: "a")?.data == Data([1]))
        try await other.remove("a")
        #expect(try await cache.entry(for: "a") == nil)
    }

    @Test func storingAgainReplaces() async throws {
        try await cache.store(DataEntry(Data([1, 2, 3])), for: "a")
        try await cache.store(DataEntry(Data([4])), for: "a")
        #expect(try await cache.entry(for: "a")?.data == Data([4]))
        #expect(try await cache.usage() == .init(count: 1, byteCount: 1))
        #expect(try cache.store.directory.total() == .init(byteCount: folder.byteCount(), count: 1))
    }

    @Test func metadataIsReplacedAlone() async throws {
        try await cache.store(DataEntry(Data([1, 2, 3])), for: "a")
        try await cache.update(EntryRecordTests.full, for: "a")
        #expect(try await cache.entry(for: "a") == DataEntry(Data([1, 2, 3]), metadata: EntryRecordTests.full))
        #expect(try cache.store.directory.total() == .init(byteCount: folder.byteCount(), count: 1))
        try await cache.update(.init(), for: "b")
        #expect(try await !cache.contains("b"))
    }

    @Test func updatingMetadataIsNotAUse() async throws {
        try await cache.store(DataEntry(Data([1])), for: "a")
        let old = try FileStatus(of: FilePath(text: folder.file(of: "a").path))
        try await cache.update(.init(), for: "a")
        let new = try FileStatus(of: FilePath(text: folder.file(of: "a").path))
        #expect(new.accessTime == old.accessTime)
        #expect(new.modificationTime == old.modificationTime)
    }

    @Test func onlyAHitSetsTheTimeOfUse() async throws {
        try await cache.store(DataEntry(Data([1])), for: "a")
        let stored = try FileStatus(of: FilePath(text: folder.file(of: "a").path))
        _ = try await cache.contains("a")
        _ = try await cache.verify()
        _ = try await cache.usage()
        #expect(try FileStatus(of: FilePath(text: folder.file(of: "a").path)) == stored)
        _ = try await cache.entry(for: "a")
        let used = try FileStatus(of: FilePath(text: folder.file(of: "a").path))
        #expect(used.accessTime > stored.accessTime)
        #expect(used.modificationTime == stored.modificationTime)
    }

    @Test func sourceIsRemovedWithAllItsVariants() async throws {
        for source in ["a.png", "b.png"] {
            for variant in [[], ["A"], ["A", "B"], ["C"]] {
                try await cache.store(DataEntry(Data([1])), for: CacheKey(source: source, variant: variant))
            }
        }
        try await cache.removeAll(ofSource: "a.png")
        #expect(try await cache.usage().count == 4)
        #expect(try await !cache.contains("a.png"))
        try await cache.remove("b.png")
        #expect(try await cache.usage().count == 3)
        try await cache.removeAll()
        #expect(try await cache.usage() == .init())
        #expect(try cache.store.directory.total() == .none)
        #expect(try folder.files().isEmpty)
    }

    @Test func variantsOfASourceShareAFolder() {
        let shards = [[], ["A"], ["A", "B"]].map { EntryName(CacheKey(source: "a.png", variant: $0)).shard }
        #expect(Set(shards).count == 1)
        #expect(shards[0].name.count == 3)
        #expect(Shard(name: shards[0].name) == shards[0])
    }

    @Test(arguments: ["", "0", "12", "0123", "00G", "ABC", "+12", "-12", "..."])
    func otherFoldersAreNotShards(_ name: String) {
        #expect(Shard(name: name) == nil)
    }

    /// The variants have the same text, so both keys have the same file.
    @Test func keysWithEqualTextsAreDistinguished() async throws {
        let key = CacheKey(source: "a.png", variant: ["B", "C"])
        let other = CacheKey(source: "a.png", variant: ["B-C"])
        #expect(EntryName(key) == EntryName(other))
        let entry = DataEntry(Data([1]))
        try await cache.store(entry, for: key)
        #expect(try await cache.entry(for: other) == nil)
        #expect(try await !cache.contains(other))
        try await cache.update(EntryRecordTests.full, for: other)
        try await cache.remove(other)
        #expect(try await cache.entry(for: key) == entry)
    }

    @Test func sourcesWithEqualTextsAreDistinguished() async throws {
        let (key, other) = (CacheKey(source: "a-B.png"), CacheKey(source: "a.png", variant: ["B"]))
        #expect(key.description == other.description)
        try await cache.store(DataEntry(Data([1])), for: key)
        #expect(try await cache.entry(for: other) == nil)
        try await cache.store(DataEntry(Data([2])), for: other)
        #expect(try await cache.entry(for: key)?.data == Data([1]))
    }

    @Test(arguments: 0..<20) func hostileKeysKeepTheirEntries(_ seed: Int) async throws {
        var random = SeededGenerator(seed: seed)
        var entries: [CacheKey: DataEntry] = [:]
        for _ in 0..<20 {
            let key = random.key()
            entries[key] = DataEntry(random.bytes(20))
            try await cache.store(entries[key]!, for: key)
        }
        for (key, entry) in entries {
            let found = try await cache.entry(for: key)
            // If two keys share a file, the last one stored has it.
            let sharesItsFile = entries.keys.contains { $0 != key && EntryName($0) == EntryName(key) }
            #expect(found == entry || sharesItsFile && found == nil)
        }
        #expect(try folder.files().allSatisfy { $0.split(separator: "/").count <= 2 })
        for key in entries.keys { try await cache.removeAll(ofSource: key.source) }
        #expect(try await cache.usage().count == 0)
    }

    @Test func defaultDirectoryEndsWithTheNamespace() {
        #expect(DiskDataCache.defaultDirectory().path.hasSuffix("/darkroom/default"))
        #expect(DiskDataCache.defaultDirectory(namespace: "x").path.hasSuffix("/darkroom/x"))
    }

    @Test func folderIsExcludedFromBackups() throws {
        let tag = try Data(contentsOf: folder.url.appending(path: "CACHEDIR.TAG"))
        #expect(tag.starts(with: Data("Signature: 8a477f597d28d172789f06886806bc55".utf8)))
    }

    @Test func folderWithNothingButACacheIsExcludedAgain() async throws {
        try await cache.store(DataEntry(Data([1])), for: "a")
        let tag = folder.url.appending(path: "CACHEDIR.TAG")
        try FileManager.default.removeItem(at: tag)
        _ = try folder.cache()
        #expect(FileManager.default.fileExists(atPath: tag.path))
    }
}
