import DarkroomCore

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension DiskDataCache {
    /// How much there is.
    public struct Usage: Hashable, Sendable {
        /// How many entries.
        public var count = 0

        /// How many bytes their pictures have.
        public var byteCount = 0
    }

    /// What a cache holds, and how it fared.
    public struct Stats: Hashable, Sendable {
        /// How much there is, whoever put it there.
        public var usage = Usage()

        /// The last use of the entry not used for the longest time; `nil` when there is none.
        public var oldestUse: Date?

        /// The last use of the entry used last; `nil` when there is none.
        public var newestUse: Date?

        /// How many bytes the files of all entries may take together.
        public var byteLimit: Int

        /// How old an entry may be that is still read; `nil` for any age.
        public var maximumAge: Duration?

        /// How many entries this cache has found since it was made.
        public var hitCount: Int

        /// How many it was asked for and did not find, or could not read.
        public var missCount: Int

        /// How many it has removed because of a limit.
        public var evictionCount: Int

        /// How many times it could not do what it was asked.
        public var failureCount: Int
    }

    /// Counts the entries, and the bytes of their pictures.
    public func usage() async throws -> Usage { try await stats().usage }

    /// Counts everything; that looks at the end of every file.
    public func stats() async throws -> Stats {
        let tally = Tally(Contents())
        try await worker.forEachSlice { store, entries in
            for entry in entries {
                guard let byteCount = try store.pictureByteCount(entry) else { continue }
                tally.change { $0.add(entry.status.accessTime, byteCount) }
            }
        }
        let (contents, counts) = (tally.value, store.counts)
        return Stats(
            usage: contents.usage, oldestUse: contents.oldestUse.map { Date($0) },
            newestUse: contents.newestUse.map { Date($0) }, byteLimit: byteLimit, maximumAge: maximumAge,
            hitCount: counts.hits.value, missCount: counts.misses.value, evictionCount: counts.evictions.value,
            failureCount: counts.failures.value)
    }
}

/// What is there, as far as it was counted.
private struct Contents: Sendable {
    var usage = DiskDataCache.Usage()
    var oldestUse: FileTime?
    var newestUse: FileTime?

    mutating func add(_ use: FileTime, _ byteCount: Int) {
        usage.count += 1
        usage.byteCount += byteCount
        oldestUse = min(oldestUse ?? use, use)
        newestUse = max(newestUse ?? use, use)
    }
}

extension EntryStore {
    /// How long the picture of an entry is; `nil` when the entry is damaged, or gone.
    fileprivate func pictureByteCount(_ entry: ListedEntry) throws -> Int? {
        do {
            return try directory.open(entry.name)?.pictureByteCount()
        } catch is DamagedEntry {
            return nil
        }
    }
}
