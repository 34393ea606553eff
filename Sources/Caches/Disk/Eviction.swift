import DarkroomFiles
import Synchronization

/// Evicts entries when the cache exceeds its limit.
///
/// The oldest entries are evicted first. With few entries the order is exact. With many, it is based on samples: shards
/// are listed in random order until there are enough entries, and the oldest quarter of them is evicted before the next
/// sample is taken. So no store waits for a scan of all shards.
final class Eviction: Sendable {
    private static let sampleSize = 1024

    private let directory: EntryDirectory
    private let counts: CacheCounters

    /// The entries to evict; the last one is evicted first.
    private let candidates = Mutex<[ListedEntry]>([])

    init(in directory: EntryDirectory, counts: CacheCounters) {
        self.directory = directory
        self.counts = counts
    }

    /// Evicts entries, the oldest by `date` first, until the rest takes at most `byteCount`. `excluded` is not evicted.
    func evict(downTo byteCount: Int, by date: ExpiryDate, excluding excluded: EntryName? = nil) throws {
        try candidates.withLock { candidates in
            var total = try directory.total()
            while total.byteCount > byteCount {
                if candidates.isEmpty {
                    // A killed process may have left a sum that is too high.
                    guard try directory.recomputedTotal().byteCount > byteCount else { return }
                    candidates = try sample(by: date, without: excluded)
                    // The listing has corrected it.
                    total = try directory.total()
                    guard total.byteCount > byteCount else { return candidates = [] }
                }
                guard let oldest = candidates.popLast() else { return }
                if let rest = try remove(oldest, unless: excluded) { total = rest }
            }
        }
    }

    /// Removes a candidate, unless it was used or replaced since the listing, and so is no longer old. Returns the totals
    /// of the rest.
    private func remove(_ candidate: ListedEntry, unless excluded: EntryName?) throws -> ShardTotals? {
        guard candidate.name != excluded else { return nil }
        return try directory.usage.withLock { table in
            guard try directory.remove(candidate.name, in: table, if: { $0 == candidate.status }) else { return nil }
            counts.evictions.increment()
            return try table.total()
        }
    }

    private func sample(by date: ExpiryDate, without excluded: EntryName?) throws -> [ListedEntry] {
        var found: [ListedEntry] = []
        var shards = try directory.shuffledShards()
        while found.count < Self.sampleSize, let shard = shards.popLast() {
            found += try directory.entries(of: shard).filter { $0.name != excluded }
        }
        let now = FileTime.now
        found.sort { $0.status.evictionTime(date, now: now) > $1.status.evictionTime(date, now: now) }
        return shards.isEmpty ? found : found.suffix(found.count / 4)
    }
}

extension EntryDirectory {
    /// Returns the shards that have entries according to their totals in random order, but the one with the most bytes last:
    /// its totals may be wrong.
    fileprivate func shuffledShards() throws -> [Shard] {
        try usage.withLock { table in
            var shards = try table.nonEmptyShards().shuffled()
            if let largest = try table.largestShard(), let index = shards.firstIndex(of: largest) {
                shards.swapAt(index, shards.count - 1)
            }
            return shards
        }
    }
}
