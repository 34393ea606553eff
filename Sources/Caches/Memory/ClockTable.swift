/// A table of values with a limited total cost, which evicts by the CLOCK algorithm: the oldest entries first, except
/// that an entry used since it was last considered is kept for another round.
struct ClockTable<Key: Hashable, Value> {
    private struct Slot {
        let key: Key
        var value: Value
        var cost: Int
        var wasUsed = false
    }

    private(set) var cost = 0
    private let costLimit: Int
    /// The face of the clock. Removed entries leave `nil`.
    private var slots: [Slot?] = []
    private var freeSlots: [Int] = []
    /// The slot that was considered last for eviction.
    private var hand = 0
    private var indices: [Key: Int] = [:]

    init(costLimit: Int) { self.costLimit = costLimit }

    var count: Int { indices.count }

    /// The value of `key`, without counting as a use.
    subscript(key: Key) -> Value? { indices[key].flatMap { slots[$0]?.value } }

    /// Returns the value of `key`, and marks it as used.
    mutating func use(_ key: Key) -> Value? {
        guard let index = indices[key] else { return nil }
        slots[index]?.wasUsed = true
        return slots[index]?.value
    }

    /// Stores `value`, unless it costs more than a quarter of the limit, and returns the keys that were evicted for it.
    mutating func store(_ value: Value, for key: Key, cost: Int) -> [Key] {
        remove(key)
        guard cost <= costLimit / 4 else { return [] }
        let evicted = evict(downTo: costLimit - cost)
        let index = freeSlots.popLast() ?? slots.count
        if index == slots.count { slots.append(nil) }
        slots[index] = Slot(key: key, value: value, cost: cost)
        indices[key] = index
        self.cost += cost
        return evicted
    }

    mutating func remove(_ key: Key) {
        guard let index = indices.removeValue(forKey: key), let slot = slots[index] else { return }
        slots[index] = nil
        freeSlots.append(index)
        cost -= slot.cost
    }

    /// Evicts entries until the others cost at most `target`, and returns their keys.
    mutating func evict(downTo target: Int) -> [Key] {
        var evicted: [Key] = []
        while cost > target, count > 0 {
            hand = (hand + 1) % slots.count
            guard let slot = slots[hand] else { continue }
            if slot.wasUsed {
                slots[hand]?.wasUsed = false
            } else {
                remove(slot.key)
                evicted.append(slot.key)
            }
        }
        return evicted
    }
}
