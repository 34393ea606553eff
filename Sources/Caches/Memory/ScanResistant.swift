import DarkroomCore

/// S3-FIFO: evicts entries used once before those used again, however recent they are.
///
/// J. Yang, Y. Zhang, Z. Qiu, Y. Yue, K. V. Rashmi, "FIFO queues are all you need for cache eviction", SOSP 2023. A
/// stored entry joins the small queue, and moves to the main queue if it was used in the meantime; otherwise it is
/// evicted and only its hash enters the ghost queue. If it is stored again while its hash is there, it joins the main
/// queue. Hits only increment a counter, up to three. The small queue has a quarter of the room, not a tenth as in the
/// paper, because users often scroll back to recent images.
struct ScanResistant: EvictionOrder {
    /// The maximum of the counter of uses.
    static let maximumUseCount = 3

    private struct Queue: Sendable {
        var entries = LinkedList<MemoryEntry>()
        var cost = 0
        var count = 0

        mutating func append(_ entry: MemoryEntry) {
            entry.place = entries.append(entry)
            cost += entry.cost
            count += 1
        }

        mutating func remove(_ entry: MemoryEntry) {
            _ = entries.remove(at: entry.place)
            cost -= entry.cost
            count -= 1
        }

        mutating func removeFirst() -> MemoryEntry? {
            guard let first = entries.first else { return nil }
            remove(first)
            return first
        }
    }

    private var small = Queue()
    private var main = Queue()
    private var ghosts = GhostQueue()

    mutating func insert(_ entry: MemoryEntry, at time: Int) {
        append(entry, toMain: ghosts.remove(entry.key.hash))
    }

    mutating func remove(_ entry: MemoryEntry) {
        if entry.isMain { main.remove(entry) } else { small.remove(entry) }
    }

    mutating func removeFirst() -> MemoryEntry? {
        // Bounded, because other threads may use entries in the meantime.
        for _ in 0..<((small.count + main.count) * (Self.maximumUseCount + 1)) {
            if isSmallFull, let entry = small.removeFirst() {
                guard entry.usage < 1 else {
                    entry.usage = 0
                    append(entry, toMain: true)
                    continue
                }
                ghosts.insert(entry.key.hash, limit: small.count + main.count)
                return entry
            }
            guard let entry = main.removeFirst() else { break }
            let uses = entry.usage
            guard uses > 0 else { return entry }
            entry.usage = uses - 1
            main.append(entry)
        }
        return small.removeFirst() ?? main.removeFirst()
    }

    /// Whether the small queue exceeds its quarter.
    private var isSmallFull: Bool {
        let hasNoCosts = small.cost == 0 && main.cost == 0
        return hasNoCosts ? small.count > main.count / 3 : small.cost > main.cost / 3
    }

    private mutating func append(_ entry: MemoryEntry, toMain: Bool) {
        entry.isMain = toMain
        if toMain { main.append(entry) } else { small.append(entry) }
    }
}
