import DarkroomCore

/// Entries used once go before those used again, however new they are: S3-FIFO.
///
/// After J. Yang, Y. Zhang, Z. Qiu, Y. Yue, K. V. Rashmi, "FIFO queues are all you need for cache eviction", SOSP 2023.
/// What is stored joins a small queue, and from there the main one if it was used meanwhile; else only its hash is
/// remembered, and lets it join the main queue when it comes again. Hits only count, up to three. The small queue has a
/// quarter of the room, not a tenth as in the paper: pictures passed a moment ago are often scrolled back to.
struct ScanResistant: EvictionOrder {
    /// More uses than these are not told apart.
    static let mostUses = 3

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
            _ = entries.remove(entry.place)
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
    private var forgotten = RecentHashes()

    mutating func insert(_ entry: MemoryEntry, at time: Int) {
        append(entry, toMain: forgotten.remove(entry.key.hash))
    }

    mutating func remove(_ entry: MemoryEntry) {
        if entry.isMain { main.remove(entry) } else { small.remove(entry) }
    }

    mutating func removeFirst() -> MemoryEntry? {
        // Others may use entries meanwhile, but do not keep this from ending.
        for _ in 0..<((small.count + main.count) * (Self.mostUses + 1)) {
            if isSmallFull, let entry = small.removeFirst() {
                guard entry.mark < 1 else {
                    entry.mark = 0
                    append(entry, toMain: true)
                    continue
                }
                forgotten.insert(entry.key.hash, limit: small.count + main.count)
                return entry
            }
            guard let entry = main.removeFirst() else { break }
            let uses = entry.mark
            guard uses > 0 else { return entry }
            entry.mark = uses - 1
            main.append(entry)
        }
        return small.removeFirst() ?? main.removeFirst()
    }

    /// Whether the small queue has more than its quarter.
    private var isSmallFull: Bool {
        let hasNoCosts = small.cost == 0 && main.cost == 0
        return hasNoCosts ? small.count > main.count / 3 : small.cost > main.cost / 3
    }

    private mutating func append(_ entry: MemoryEntry, toMain: Bool) {
        entry.isMain = toMain
        if toMain { main.append(entry) } else { small.append(entry) }
    }
}
