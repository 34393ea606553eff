import DarkroomCore
import DarkroomFiles
import DarkroomTestKit
import FoundationEssentials
import TestSupport
import Testing

@testable import DarkroomCaches

@Suite struct SourceFilterTests {
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    private var path: FilePath { FilePath(text: folder.url.appending(path: "usage").path) }

    @Test func containsWhatWasInserted() {
        var filter = SourceFilter()
        for index in 0..<200 { filter.insert(MD5Digest(of: "inserted \(index)")) }
        #expect((0..<200).allSatisfy { filter.mayContain(MD5Digest(of: "inserted \($0)")) })
        let errorCount = (0..<10_000).count { filter.mayContain(MD5Digest(of: "other \($0)")) }
        #expect(errorCount < 50)
    }

    @Test func isUnknownAfterAnotherStartOfTheSystemAndToAnotherHost() throws {
        let (usage, shard) = (ShardUsage(path, scope: FilterScope(systemStart: "first")), Shard(index: 7))
        try usage.withLock(for: .addition) { table in
            #expect(try table.sourceFilter(of: shard) == nil)
            try table.setSourceFilter(SourceFilter(), of: shard)
            try table.add(MD5Digest(of: "a"), to: shard)
            #expect(try table.sourceFilter(of: shard)?.mayContain(MD5Digest(of: "a")) == true)
            #expect(try table.sourceFilter(of: shard)?.mayContain(MD5Digest(of: "b")) == false)
            #expect(try table.sourceFilter(of: Shard(index: 8)) == nil)
        }
        for (start, device, isKnown) in [
            ("first", nil, true), ("second", nil, false), (nil, nil, false), ("first", 7 as UInt64, false),
        ] {
            let scope = FilterScope(systemStart: start, device: device)
            let filter = try ShardUsage(path, scope: scope).withLock { try $0.sourceFilter(of: shard) }
            #expect((filter != nil) == isKnown)
        }
    }

    @Test func isUnknownInACopyOfTheFile() throws {
        try ShardUsage(path).withLock(for: .addition) { try $0.setSourceFilter(SourceFilter(), of: Shard(index: 0)) }
        let copy = folder.url.appending(path: "copy")
        try FileManager.default.copyItem(atPath: path.text, toPath: copy.path)
        let filter = try ShardUsage(FilePath(text: copy.path)).withLock { try $0.sourceFilter(of: Shard(index: 0)) }
        #expect(filter == nil)
    }

    @Test func isUnknownIfDamaged() throws {
        let (usage, shard) = (ShardUsage(path), Shard(index: Shard.count - 1))
        var filter = SourceFilter()
        filter.insert(MD5Digest(of: "a"))
        try usage.withLock(for: .addition) { [filter] in try $0.setSourceFilter(filter, of: shard) }
        let sound = try Data(contentsOf: URL(filePath: path.text))
        for index in UsageTable.end - 512..<UsageTable.end {
            var damaged = sound
            damaged[index] ^= 0x10
            try usage.withLock { table in
                unsafe try damaged.withUnsafeBytes { unsafe try table.write($0, at: 0) }
            }
            #expect(try usage.withLock { try $0.sourceFilter(of: shard) } == nil)
        }
    }

    /// Entries of random sources in one shard are stored, replaced, removed and moved there.
    @Test(arguments: 0..<40) func entriesOfAnOlderRevisionAreNeverLeft(seed: Int) async throws {
        let model = try SourceFilterModel(seed: seed, in: folder.url)
        for _ in 0..<60 {
            try await model.step()
            try model.checkFilter()
        }
    }
}

private final class SourceFilterModel {
    private static let shard = Shard(index: 5)
    private static let sources = Array((0...).lazy.map { "\($0)" }.filter { Shard(ofSource: $0) == shard }.prefix(6))
    private static let variants = [[], ["A"], ["B"]]

    private var random: SeededGenerator
    private let root: URL
    private var caches: [DiskDataCache] = []
    private var revision = 0

    private var folder: URL { root.appending(path: "cache") }

    init(seed: Int, in root: URL) throws {
        random = SeededGenerator(seed: seed)
        self.root = root
        for _ in 0..<2 { caches.append(try cache(in: folder)) }
    }

    func step() async throws {
        let (cache, source) = (caches.randomElement(using: &random)!, Self.sources.randomElement(using: &random)!)
        let key = CacheKey(source: source, variant: Self.variants.randomElement(using: &random)!)
        switch Int.random(in: 0..<20, using: &random) {
        case 0..<8: try await cache.store(entry(revision), for: key)
        case 8: try await cache.update(entry(revision).metadata, for: key)
        case 9: try await cache.remove(key)
        case 10:
            try await cache.removeAll(ofSource: source)
            #expect(try entries(of: source).isEmpty)
        case 11: try await cache.removeAll()
        case 12: try await cache.trim()
        case 13: try forgetSources(with: cache)
        case 14: try await moveEntryHere(for: key)
        case 15: try Data("damaged".utf8).write(to: file(of: key))
        default: try await replace(source, in: cache)
        }
    }

    /// Checks that the filter, if there is one, has the sources of all entries.
    func checkFilter() throws {
        let directory = caches[0].store.directory
        guard let filter = try directory.usage.withLock({ try $0.sourceFilter(of: Self.shard) }) else { return }
        for source in Self.sources where try !entries(of: source).isEmpty {
            #expect(filter.mayContain(MD5Digest(of: source)))
        }
    }

    private func replace(_ source: String, in cache: DiskDataCache) async throws {
        let ticket = Bool.random(using: &random) ? try await cache.ticket(forSource: source) : nil
        revision += Int.random(in: 0..<2, using: &random)
        let response = SourceResponse(of: source, at: .now(), revision: "\(revision)")
        #expect(try await cache.startGeneration(of: response, after: ticket) != nil)
        #expect(try entries(of: source).allSatisfy { $0.metadata.original?.revision == response.revision })
    }

    /// Makes the sources unknown, as a start of the system does.
    private func forgetSources(with cache: DiskDataCache) throws {
        try cache.store.directory.usage.withLock { try $0.setSourceFilter(nil, of: Self.shard) }
    }

    private func moveEntryHere(for key: CacheKey) async throws {
        let other = root.appending(path: "other")
        try await cache(in: other).store(entry(revision), for: key)
        try await DiskDataCache.move(from: other, to: folder)
    }

    private func entries(of source: String) throws -> [DataEntry] {
        try Self.variants.compactMap { try caches[0].store.peek(at: CacheKey(source: source, variant: $0)) }
    }

    private func entry(_ revision: Int) -> DataEntry {
        var metadata = DataEntry.Metadata()
        metadata.original = OriginalVersion(revision: "\(revision)")
        return DataEntry(Data([1]), metadata: metadata)
    }

    private func file(of key: CacheKey) throws -> URL {
        let name = EntryName(key)
        let shard = folder.appending(path: name.shard.name)
        try FileManager.default.createDirectory(at: shard, withIntermediateDirectories: true)
        return shard.appending(path: name.fileName)
    }

    private func cache(in folder: URL) throws -> DiskDataCache {
        try DiskDataCache(
            at: FilePath(text: folder.path), limits: EntryStore.Limits(byteCount: 1 << 30), trimInterval: nil,
            scanInterval: nil, failures: FailureReports(nil))
    }
}
