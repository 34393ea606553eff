import DarkroomCore
import DarkroomTestKit
import FoundationEssentials
import TestSupport
import Testing

@testable import DarkroomCaches

/// Runs all operations concurrently.
@Suite struct BusyCacheTests {
    private static let byteLimit = 60_000

    /// The metadata of each entry describes its bytes, so an entry of another key, or mixed from two stores, is
    /// detected.
    @Test func concurrentOperationsNeverMixEntries() async throws {
        let folder = try TemporaryDirectory()
        let other = try TemporaryDirectory()
        let caches = try (0..<2).map { _ in try folder.cache(byteLimit: Self.byteLimit) }
        try await withThrowingTaskGroup { group in
            for task in 0..<8 {
                group.addTask { try await Self.work(on: caches[task % 2], at: folder.url, from: other, seed: task) }
            }
            try await group.waitForAll()
        }
        for cache in caches { await cache.waitForOpeningScan() }
        #expect(try await caches[0].verify().removedCount == 0)
        #expect(
            try caches[0].store.directory.total() == .init(byteCount: folder.byteCount(), count: folder.files().count))
        try await caches[0].store(Self.entry("0", 1), for: "0")
        #expect(try folder.byteCount() <= Self.byteLimit)
    }

    private static func work(on cache: DiskDataCache, at directory: URL, from other: TemporaryDirectory, seed: Int)
        async throws
    {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<40 {
            let key = CacheKey(source: "\(Int.random(in: 0..<30, using: &random))")
            switch Int.random(in: 0..<16, using: &random) {
            case 0: try await cache.remove(key)
            case 1: try await cache.removeAll(ofSource: key.source)
            case 2: try await cache.trim()
            case 3: #expect(try await cache.verify().removedCount == 0)
            case 4: #expect(try await cache.stats().usage.byteCount <= byteLimit + 30 * 4000)
            case 5:
                let folder = other.url.appending(path: "\(seed)")
                try await DiskDataCache(directory: folder).store(entry(key.source, 7), for: key)
                try await DiskDataCache.move(from: folder, to: directory)
            case 6...10: if let found = try await cache.entry(for: key) { check(found, key) }
            default: try await cache.store(entry(key.source, UInt8.random(in: 0...255, using: &random)), for: key)
            }
        }
    }

    private static func entry(_ source: String, _ byte: UInt8) -> DataEntry {
        var metadata = DataEntry.Metadata()
        metadata.extendedData = Data("\(source) \(byte)".utf8)
        return DataEntry(Data(repeating: byte, count: 16 * Int(byte)), metadata: metadata)
    }

    private static func check(_ entry: DataEntry, _ key: CacheKey) {
        let byte = entry.data.first ?? 0
        #expect(entry.metadata.extendedData == Data("\(key.source) \(byte)".utf8))
        #expect(entry.data == Data(repeating: byte, count: 16 * Int(byte)))
    }
}
