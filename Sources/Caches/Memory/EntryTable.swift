import DarkroomCore
import Synchronization

/// Entries by key, for many threads at once.
///
/// Keys are spread over shards, each with a lock of its own, so that hits seldom wait for each other.
@safe final class EntryTable: Sendable {
    private struct Shard: ~Copyable {
        let slots = Mutex(EntrySlots())
        /// Keeps the lock of the next shard out of this one's cache lines.
        private let padding: (Int, Int, Int, Int, Int, Int, Int, Int, Int, Int, Int, Int, Int) = (
            0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
        )
    }

    private static let shardBits = 5
    // In memory of its own: an array would be retained at each hit, by all threads at the same place.
    private nonisolated(unsafe) let shards: UnsafeMutablePointer<Shard>

    init() {
        unsafe shards = .allocate(capacity: 1 << Self.shardBits)
        for index in 0..<(1 << Self.shardBits) { unsafe (shards + index).initialize(to: Shard()) }
    }

    deinit {
        unsafe shards.deinitialize(count: 1 << Self.shardBits)
        unsafe shards.deallocate()
    }

    /// What `body` makes of the entry of `key`, if there is one.
    @inline(__always)
    func withEntry<Result: Sendable>(of key: CacheKey, _ body: (MemoryEntry) -> Result) -> Result? {
        withSlots(of: key) { $0.withEntry(of: key, body) }
    }

    /// The entry of `key`.
    subscript(key: CacheKey) -> MemoryEntry? { withEntry(of: key) { $0 } }

    /// Adds an entry whose key has none.
    func insert(_ entry: MemoryEntry) { withSlots(of: entry.key) { $0.insert(entry) } }

    /// Removes the entry of `key`.
    func remove(_ key: CacheKey) { withSlots(of: key) { $0.remove(key) } }

    /// Removes all entries, and answers them.
    func removeAll() -> [MemoryEntry] {
        (0..<(1 << Self.shardBits)).flatMap { index in
            unsafe shards[index].slots.withLock { slots in
                defer { slots = EntrySlots() }
                return slots.entries
            }
        }
    }

    @inline(__always)
    private func withSlots<Result: Sendable>(of key: CacheKey, _ body: (inout EntrySlots) -> Result) -> Result {
        // The low bits choose a place in the shard.
        let index = Int(truncatingIfNeeded: UInt(bitPattern: key.hash) >> UInt(Int.bitWidth - Self.shardBits))
        return unsafe shards[index].slots.withLock { body(&$0) }
    }
}
