import DarkroomCaches
import DarkroomCore
import DarkroomTestKit
import Photograph

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Stores entries of 5 KB of new sources in disk caches of different sizes, with room and full.
///
/// A store is three jobs on the threads of the cache, as in a load: a lookup, the start of a generation, and the store.
///
/// The folder is in `TMPDIR`, whose file system matters.
struct Stores {
    private static let sizes = [1000, 50_000, 200_000]
    private static let count = 1000
    private static let roundCount = 5

    private let data = Data(repeating: 7, count: 5000)

    func measure() async throws {
        print("stores, CPU µs, medians of \(Self.roundCount) rounds of \(Self.count):")
        print("entries, with room, in a full cache")
        for size in Self.sizes {
            try await withTemporaryDirectory { try await measure(size, in: $0) }
        }
    }

    private func measure(_ size: Int, in folder: URL) async throws {
        let cache = try DiskDataCache(directory: folder, byteLimit: .max)
        try await store(0..<size, in: cache)
        var (room, full): ([Double], [Double]) = ([], [])
        for round in 0..<Self.roundCount {
            let first = size + 2 * round * Self.count
            let (some, others) = (first..<(first + Self.count), (first + Self.count)..<(first + 2 * Self.count))
            try await cache.setByteLimit(.max)
            room.append(try await cpuMilliseconds { try await store(some, in: cache) })
            try await cache.setByteLimit(try await cache.stats().usage.byteCount)
            full.append(try await cpuMilliseconds { try await store(others, in: cache) })
        }
        let scale = 1000 / Double(Self.count)
        print(size, (room.median * scale).rounded(), (full.median * scale).rounded(), separator: "  ")
    }

    /// Stores entries as loads do.
    private func store(_ indices: Range<Int>, in cache: DiskDataCache) async throws {
        for index in indices {
            let key = CacheKey(source: "https://example.com/\(index).jpg")
            let response = SourceResponse(of: key.source, at: .now())
            let found = await cache.lookUp(key).ticket
            guard let ticket = try await cache.startGeneration(of: response, after: found) else { continue }
            try await cache.store(DataEntry(data), for: key, with: ticket)
        }
    }
}
