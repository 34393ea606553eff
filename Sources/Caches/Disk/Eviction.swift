import Synchronization

/// Decides which entries go when there is too much.
///
/// The oldest go first. With few entries that is exact. With many, the order is that of a sample: the shards are listed in
/// random order until there are enough entries, and the oldest quarter of them goes before the next sample is taken. So
/// no store ever waits for a scan of everything.
final class Eviction: Sendable {
    private static let sampleSize = 1024

    private let directory: EntryDirectory
    private let counts: UseCounts

    /// The next to go is the last.
    private let candidates = Mutex<[ListedEntry]>([])

    init(_ directory: EntryDirectory, _ counts: UseCounts) {
        self.directory = directory
        self.counts = counts
    }

    /// Removes entries, the oldest by `date` first, until those that are left take `byteCount` at most; `spared` stays.
    func evict(downTo byteCount: Int, by date: ExpiryDate, sparing spared: EntryName? = nil) throws {
        try candidates.withLock { candidates in
            guard try directory.countedTotal().byteCount > byteCount else { return }
            while try directory.total().byteCount > byteCount {
                if candidates.isEmpty { candidates = try sample(by: date, without: spared) }
                guard let oldest = candidates.popLast() else { return }
                try remove(oldest, unless: spared)
            }
        }
    }

    private func remove(_ candidate: ListedEntry, unless spared: EntryName?) throws {
        guard candidate.name != spared else { return }
        // One that was used or replaced since it was listed is old no more.
        if try directory.remove(candidate.name, if: { $0 == candidate.status }) { counts.evictions.count() }
    }

    private func sample(by date: ExpiryDate, without spared: EntryName?) throws -> [ListedEntry] {
        var found: [ListedEntry] = []
        var shards = try directory.nonEmptyShards().shuffled()
        while found.count < Self.sampleSize, let shard = shards.popLast() {
            found += try directory.entries(of: shard).filter { $0.name != spared }
        }
        found.sort { $0.status.time(date) > $1.status.time(date) }
        return shards.isEmpty ? found : found.suffix(found.count / 4)
    }
}
