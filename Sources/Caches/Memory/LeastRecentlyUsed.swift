/// Evicts the least recently used entry first.
///
/// Hits only record the time in their entry. The heap contains possibly outdated, earlier times: an entry taken from it
/// is reinserted with its actual time, until one is found that was not used since. So the order is exact.
struct LeastRecentlyUsed: EvictionOrder {
    private struct Item {
        let entry: MemoryEntry
        var time: Int
    }

    private var heap: [Item] = []

    mutating func insert(_ entry: MemoryEntry, at time: Int) {
        entry.usage = time
        entry.place = heap.count
        heap.append(Item(entry: entry, time: time))  // no time in the heap is later
    }

    mutating func remove(_ entry: MemoryEntry) {
        let place = entry.place
        let last = heap.removeLast()
        guard place < heap.count else { return }
        put(last, at: place)
        moveUp(place)
        moveDown(place)
    }

    mutating func removeFirst() -> MemoryEntry? {
        // Bounded, because other threads may use entries in the meantime.
        for _ in 0..<(heap.count * 2) {
            let used = heap[0].entry.usage
            guard used != heap[0].time else { break }
            heap[0].time = used
            moveDown(0)
        }
        guard let first = heap.first?.entry else { return nil }
        remove(first)
        return first
    }

    private mutating func put(_ item: Item, at place: Int) {
        heap[place] = item
        item.entry.place = place
    }

    private mutating func moveUp(_ start: Int) {
        var place = start
        while place > 0, heap[place].time < heap[(place - 1) / 2].time {
            swapAt(place, (place - 1) / 2)
            place = (place - 1) / 2
        }
    }

    private mutating func moveDown(_ start: Int) {
        var place = start
        while let child = earlierChild(of: place), heap[child].time < heap[place].time {
            swapAt(place, child)
            place = child
        }
    }

    private func earlierChild(of place: Int) -> Int? {
        let left = place * 2 + 1
        guard left + 1 < heap.count else { return left < heap.count ? left : nil }
        return heap[left].time <= heap[left + 1].time ? left : left + 1
    }

    private mutating func swapAt(_ one: Int, _ other: Int) {
        heap.swapAt(one, other)
        heap[one].entry.place = one
        heap[other].entry.place = other
    }
}
