/// A bounded ghost queue: the hashes of recently evicted keys.
struct GhostQueue {
    private var serials: [Int: Int] = [:]
    /// In insertion order. Elements before `first` are gone, and those whose serial number is outdated were removed.
    private var queue: [(hash: Int, serial: Int)] = []
    private var first = 0
    private var lastSerial = 0

    /// The length of the queue.
    var count: Int { queue.count - first }

    /// Appends `hash`, and drops the oldest hashes until at most `limit` are left.
    mutating func insert(_ hash: Int, limit: Int) {
        lastSerial += 1
        serials[hash] = lastSerial
        queue.append((hash, lastSerial))
        while count > max(limit, 1) {
            let oldest = queue[first]
            if serials[oldest.hash] == oldest.serial { serials[oldest.hash] = nil }
            first += 1
        }
        if first > 64, first * 2 > queue.count {
            queue.removeFirst(first)
            first = 0
        }
    }

    /// Removes `hash`, and returns whether it was present.
    mutating func remove(_ hash: Int) -> Bool { serials.removeValue(forKey: hash) != nil }
}
