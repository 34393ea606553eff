/// The hashes of keys that went lately, a bounded number of them.
struct RecentHashes {
    private var serials: [Int: Int] = [:]
    /// In the order they came; those before `first` are gone, and those without their serial number were taken out.
    private var queue: [(hash: Int, serial: Int)] = []
    private var first = 0
    private var lastSerial = 0

    /// How many places are taken.
    var count: Int { queue.count - first }

    /// Adds `hash`, and lets the oldest go until no more than `limit` are left.
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

    /// Takes `hash` out, and answers whether it was there.
    mutating func remove(_ hash: Int) -> Bool { serials.removeValue(forKey: hash) != nil }
}
