import DarkroomCore

/// A hash table of entries with open addressing. It does not compute hashes, because keys contain theirs.
///
/// References are counted manually. Left to the compiler, that would take more time than the rest of a hit.
struct EntrySlots: ~Copyable {
    @safe private struct Slot {
        var hash = 0
        /// Owned by the table.
        var entry: Unmanaged<MemoryEntry>?

        var isFree: Bool { unsafe entry == nil }
    }

    private var slots = [Slot](repeating: Slot(), count: 8)
    private(set) var count = 0

    deinit {
        for slot in slots { unsafe slot.entry?.release() }
    }

    /// Returns the result of `body` for the entry of `key`, or `nil` if there is none.
    @inline(__always)
    func withEntry<Result>(of key: CacheKey, _ body: (MemoryEntry) -> Result) -> Result? {
        guard let place = place(of: key) else { return nil }
        return unsafe slots[place].entry?._withUnsafeGuaranteedRef(body)
    }

    /// All entries.
    var entries: [MemoryEntry] { slots.compactMap { unsafe $0.entry?.takeUnretainedValue() } }

    /// Inserts an entry, whose key must not be present.
    mutating func insert(_ entry: MemoryEntry) {
        if count * 2 >= slots.count { grow() }
        unsafe put(Slot(hash: entry.key.hash, entry: .passRetained(entry)))
        count += 1
    }

    /// Removes the entry of `key`.
    mutating func remove(_ key: CacheKey) {
        guard var hole = place(of: key) else { return }
        unsafe slots[hole].entry?.release()
        slots[hole] = Slot()
        count -= 1
        // Entries displaced by collisions move up, so that searches do not end too early.
        var place = next(hole)
        while !slots[place].isFree {
            if distance(from: slots[place].hash, to: place) >= distance(from: hole, to: place) {
                slots.swapAt(place, hole)
                hole = place
            }
            place = next(place)
        }
    }

    private func place(of key: CacheKey) -> Int? {
        var place = key.hash & (slots.count - 1)
        while let entry = unsafe slots[place].entry {
            if slots[place].hash == key.hash, unsafe entry._withUnsafeGuaranteedRef({ $0.key == key }) { return place }
            place = next(place)
        }
        return nil
    }

    private func next(_ place: Int) -> Int { (place + 1) & (slots.count - 1) }

    private func distance(from start: Int, to place: Int) -> Int { (place &- start) & (slots.count - 1) }

    private mutating func put(_ slot: Slot) {
        var place = slot.hash & (slots.count - 1)
        while !slots[place].isFree { place = next(place) }
        slots[place] = slot
    }

    private mutating func grow() {
        let old = slots
        slots = Array(repeating: Slot(), count: old.count * 2)
        for slot in old where !slot.isFree { put(slot) }
    }
}
