/// The eviction order of a `MemoryImageCache`. Called under the lock of the cache's state.
protocol EvictionOrder: Sendable {
    /// Inserts an entry that was just stored, at `time`, which is later than all previous times.
    mutating func insert(_ entry: MemoryEntry, at time: Int)

    /// Removes an entry, which must be present.
    mutating func remove(_ entry: MemoryEntry)

    /// Removes and returns the entry to evict first, or `nil` if there is none.
    mutating func removeFirst() -> MemoryEntry?
}
