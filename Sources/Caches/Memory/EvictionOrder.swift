/// Decides which entry of a `MemoryImageCache` goes first. Called under the lock of the cache's state.
protocol EvictionOrder: Sendable {
    /// Adds an entry that was just stored, at `time`, which is later than any before.
    mutating func insert(_ entry: MemoryEntry, at time: Int)

    /// Takes out an entry that is in it.
    mutating func remove(_ entry: MemoryEntry)

    /// Takes out the entry that goes first; `nil` when there is none.
    mutating func removeFirst() -> MemoryEntry?
}
