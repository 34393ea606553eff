/// A table of values with a limited total cost, which evicts by the CLOCK algorithm: the oldest entries first, except
/// that an entry used since it was last considered is kept for another round.
///
/// All operations take constant time on average, and memory is proportional to the number of entries.
struct ClockTable<Key: Hashable & Sendable, Value: Sendable> {
    private struct Entry: Sendable {
        let key: Key
        let value: Value
        let cost: Int
        var wasUsed = false
    }

    private(set) var cost = 0
    private let costLimit: Int
    /// The entries in the order in which they are considered for eviction.
    private var entries = LinkedList<Entry>()
    private var places: [Key: LinkedList<Entry>.Place] = [:]

    init(costLimit: Int) { self.costLimit = costLimit }

    var count: Int { places.count }

    /// The number of entries that the allocated memory has room for.
    var placeCount: Int { entries.placeCount }

    /// The value of `key`, without counting as a use.
    subscript(key: Key) -> Value? { places[key].map { entries[$0].value } }

    /// Returns the value of `key`, and marks it as used.
    mutating func use(_ key: Key) -> Value? {
        guard let place = places[key] else { return nil }
        return entries.update(at: place) { entry in
            entry.wasUsed = true
            return entry.value
        }
    }

    /// Stores `value`, unless it costs more than a quarter of the limit, and returns the keys that were evicted for it.
    mutating func store(_ value: Value, for key: Key, cost: Int) -> [Key] {
        remove(key)
        guard cost <= costLimit / 4 else { return [] }
        let evicted = evict(downTo: costLimit - cost)
        places[key] = entries.append(Entry(key: key, value: value, cost: cost))
        self.cost += cost
        return evicted
    }

    mutating func remove(_ key: Key) {
        guard let place = places.removeValue(forKey: key) else { return }
        cost -= entries.remove(at: place).cost
        if placeCount > 2 * count + 16 { compact() }
    }

    /// Evicts entries until the others cost at most `target`, and returns their keys.
    mutating func evict(downTo target: Int) -> [Key] {
        var evicted: [Key] = []
        while cost > target, let place = entries.firstPlace {
            let entry = entries[place]
            if entry.wasUsed {
                entries.update(at: place) { $0.wasUsed = false }
                entries.moveToEnd(place)
            } else {
                remove(entry.key)
                evicted.append(entry.key)
            }
        }
        return evicted
    }

    /// Releases the memory of removed entries. At least as many entries were removed since the last time as are moved.
    private mutating func compact() {
        let remaining = entries.elements
        entries = LinkedList()
        places = Dictionary(minimumCapacity: remaining.count)
        for entry in remaining { places[entry.key] = entries.append(entry) }
    }
}
