import Synchronization

/// Decides which entries go when there is too much.
///
/// Those not used for the longest time go first. With few entries that is exact. With many, the order is that of a sample:
/// the shards are listed in random order until there are enough entries, and the oldest quarter of them goes before
/// the next sample is taken. So no store ever waits for a scan of everything.
final class Eviction: Sendable {
    private static let sampleSize = 1024

    private let directory: EntryDirectory

    /// The next to go is the last.
    private let candidates = Mutex<[ListedEntry]>([])

    init(_ directory: EntryDirectory) { self.directory = directory }

    /// Removes entries until those that are left take `byteCount` at most; `spared` stays whatever its age.
    func evict(downTo byteCount: Int, sparing spared: EntryName? = nil) throws {
        try candidates.withLock { candidates in
            while try directory.total().byteCount > byteCount {
                if candidates.isEmpty { candidates = try sample(Self.sampleSize, without: spared) }
                guard let oldest = candidates.popLast() else { return }
                try remove(oldest, unless: spared)
            }
        }
    }

    /// The same with all entries in exact order, at the price of listing all.
    func evictExactly(downTo byteCount: Int) throws {
        try candidates.withLock { $0 = try sample(.max, without: nil) }
        try evict(downTo: byteCount)
    }

    private func remove(_ candidate: ListedEntry, unless spared: EntryName?) throws {
        guard candidate.name != spared else { return }
        // One that was used or replaced since it was listed is old no more.
        try directory.remove(candidate.name) { $0 == candidate.status }
    }

    private func sample(_ size: Int, without spared: EntryName?) throws -> [ListedEntry] {
        var found: [ListedEntry] = []
        var shards = try directory.nonEmptyShards().shuffled()
        while found.count < size, let shard = shards.popLast() {
            found += try directory.entries(of: shard).filter { $0.name != spared }
        }
        found.sort { $0.status.accessTime > $1.status.accessTime }
        return shards.isEmpty ? found : found.suffix(found.count / 4)
    }
}
