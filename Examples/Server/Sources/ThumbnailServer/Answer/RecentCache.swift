import DequeModule
import Synchronization

/// Holds values up to a total cost: those that came first go first, but one that was asked for gets another round.
final class RecentCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct Entry {
        var value: Value
        var cost: Int
        var wasUsed = false
    }

    private struct State {
        var entries: [Key: Entry] = [:]
        /// The keys of all entries, each once, the next to go first.
        var order: Deque<Key> = []
        var cost = 0
    }

    private let costLimit: Int
    private let state = Mutex(State())

    /// A cache of values that cost `costLimit` together.
    init(costLimit: Int) { self.costLimit = costLimit }

    /// How much is held.
    var counts: (entries: Int, cost: Int) { state.withLock { ($0.entries.count, $0.cost) } }

    /// The value under `key`.
    func value(for key: Key) -> Value? {
        state.withLock { state in
            guard let index = state.entries.index(forKey: key) else { return nil }
            state.entries.values[index].wasUsed = true
            return state.entries.values[index].value
        }
    }

    /// Keeps `value`, unless it would take a quarter of the cache.
    func store(_ value: Value, for key: Key, cost: Int) {
        guard cost <= costLimit / 4 else { return }
        state.withLock { state in
            if let old = state.entries.updateValue(Entry(value: value, cost: cost), forKey: key) {
                state.cost -= old.cost
            } else {
                state.order.append(key)
            }
            state.cost += cost
            while state.cost > costLimit, let key = state.order.popFirst() { Self.pass(key, &state) }
        }
    }

    /// Drops the entry that came first, or gives it another round.
    private static func pass(_ key: Key, _ state: inout State) {
        guard let entry = state.entries[key] else { return }
        if entry.wasUsed {
            state.entries[key]?.wasUsed = false
            state.order.append(key)
        } else {
            state.entries[key] = nil
            state.cost -= entry.cost
        }
    }
}
