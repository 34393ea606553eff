import DarkroomCore
import Synchronization

/// A concurrent hash table of entries.
///
/// Keys are distributed over shards with a lock each, so that hits rarely contend.
@safe final class EntryTable: Sendable {
    private struct Shard: ~Copyable {
        let slots = Mutex(EntrySlots())
        /// Prevents false sharing: keeps the lock of the next shard out of this one's cache lines.
        private let padding: (Int, Int, Int, Int, Int, Int, Int, Int, Int, Int, Int, Int, Int) = (
            0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
        )
    }

    private static let shardBits = 5
    // Manually allocated: every hit would retain an array, and all threads would contend for its reference count.
    private nonisolated(unsafe) let shards: UnsafeMutablePointer<Shard>

    init() {
        unsafe shards = .allocate(capacity: 1 << Self.shardBits)
        for index in 0..<(1 << Self.shardBits) { unsafe (shards + index).initialize(to: Shard()) }
    }

    deinit {
        unsafe shards.deinitialize(count: 1 << Self.shardBits)
        unsafe shards.deallocate()
    }

    /// Returns the result of `body` for the entry of `key`, or `nil` if there is none.
    @inline(__always)
    func withEntry<Result: Sendable>(of key: CacheKey, _ body: (MemoryEntry) -> Result) -> Result? {
        withSlots(of: key) { $0.withEntry(of: key, body) }
    }

    /// The entry of `key`.
    subscript(key: CacheKey) -> MemoryEntry? { withEntry(of: key) { $0 } }

    /// Inserts an entry, whose key must not be present.
    func insert(_ entry: MemoryEntry) { withSlots(of: entry.key) { $0.insert(entry) } }

    /// Removes the entry of `key`.
    func remove(_ key: CacheKey) { withSlots(of: key) { $0.remove(key) } }

    /// Removes all entries, and returns them.
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
        // The low bits select a slot in the shard.
        let index = Int(truncatingIfNeeded: UInt(bitPattern: key.hash) >> UInt(Int.bitWidth - Self.shardBits))
        return unsafe shards[index].slots.withLock { body(&$0) }
    }
}
