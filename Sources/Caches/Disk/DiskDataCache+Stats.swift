import DarkroomCore
import DarkroomFiles
public import DarkroomPlatform

extension DiskDataCache {
    /// The size of a cache.
    public struct Usage: Hashable, Sendable {
        /// The number of entries.
        public var count = 0

        /// The total size of their images.
        public var byteCount = 0

        /// Creates the size of `count` entries; by default that of an empty cache.
        public init(count: Int = 0, byteCount: Int = 0) {
            self.count = count
            self.byteCount = byteCount
        }
    }

    /// The contents and statistics of a cache.
    public struct Stats: Hashable, Sendable {
        /// The size of the cache, including entries of other processes.
        public var usage = Usage()

        /// The last use of the least recently used entry; `nil` if the cache is empty.
        public var oldestUse: Date?

        /// The last use of the most recently used entry; `nil` if the cache is empty.
        public var newestUse: Date?

        /// The maximum total size of the files of all entries.
        public var byteLimit: Int

        /// The age at which an entry becomes a miss; `nil` for no limit.
        public var ageLimit: Duration?

        /// The number of hits since the cache was created.
        public var hitCount: Int

        /// The number of misses, including entries that could not be read.
        public var missCount: Int

        /// The number of entries evicted because of a limit.
        public var evictionCount: Int

        /// The number of failed operations.
        public var failureCount: Int
    }

    /// Returns the number of entries and the total size of their images.
    public func usage() async throws -> Usage { try await stats().usage }

    /// Returns all statistics. This reads the end of every file.
    public func stats() async throws -> Stats {
        let counted = LockedValue(Contents())
        try await worker.forEachSlice { store, entries in
            for entry in entries {
                guard let byteCount = try store.imageByteCount(entry) else { continue }
                counted.change { $0.add(byteCount: byteCount, lastUse: entry.status.accessTime) }
            }
        }
        let (contents, counts) = (counted.value, store.counts)
        return Stats(
            usage: contents.usage, oldestUse: contents.oldestUse.map { Date($0) },
            newestUse: contents.newestUse.map { Date($0) }, byteLimit: byteLimit, ageLimit: ageLimit,
            hitCount: counts.hits.value, missCount: counts.misses.value, evictionCount: counts.evictions.value,
            failureCount: counts.failures.value)
    }
}

/// The entries counted so far.
private struct Contents: Sendable {
    var usage = DiskDataCache.Usage()
    var oldestUse: FileTime?
    var newestUse: FileTime?

    mutating func add(byteCount: Int, lastUse: FileTime) {
        usage.count += 1
        usage.byteCount += byteCount
        oldestUse = min(oldestUse ?? lastUse, lastUse)
        newestUse = max(newestUse ?? lastUse, lastUse)
    }
}

extension EntryStore {
    /// Returns the size of the image of an entry, or `nil` if the entry is damaged or gone.
    fileprivate func imageByteCount(_ entry: ListedEntry) throws -> Int? {
        do {
            return try directory.open(entry.name)?.imageByteCount()
        } catch is DamagedEntry {
            return nil
        }
    }
}
