import Synchronization

/// A cache in memory of any values that are expensive to make, such as parsed requests, with a limited total cost.
///
/// The oldest values are evicted first, except that a value used since it was last considered is kept for another round
/// (CLOCK). All operations take constant time on average, and may be called from any thread.
public final class RecentCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private let table: Mutex<ClockTable<Key, Value>>

    /// Creates a cache for values that together cost at most `costLimit`, in any unit. A value that costs more than a
    /// quarter of that is not stored.
    public init(costLimit: Int) { table = Mutex(ClockTable(costLimit: costLimit)) }

    /// The number of values.
    public var count: Int { table.withLock(\.count) }

    /// The cost of all values.
    public var cost: Int { table.withLock(\.cost) }

    /// Returns the value of `key`, which counts as a use.
    public func value(for key: Key) -> Value? { table.withLock { $0.use(key) } }

    /// Stores `value`, in place of any existing one.
    public func store(_ value: Value, for key: Key, cost: Int) {
        _ = table.withLock { $0.store(value, for: key, cost: cost) }
    }

    /// Removes the value of `key`.
    public func remove(_ key: Key) { table.withLock { $0.remove(key) } }
}
