import Synchronization

/// A rate limit for each of many keys, such as the clients of a server: a ``TokenBucket`` per key.
///
/// The number of keys is bounded. When the bound is reached, full buckets are removed, which affects no key; if there
/// are none, all buckets are removed, so that every key starts again with a full one.
public final class KeyedRateLimit<Key: Hashable & Sendable>: Sendable {
    private let limit: RateLimit
    private let keyLimit: Int
    private let start = ContinuousClock.now
    private let buckets = Mutex<[Key: TokenBucket]>([:])

    /// Creates a limit of `limit` per key that remembers at most `keyLimit` keys, at least 1.
    public init(_ limit: RateLimit, keyLimit: Int = 10_000) {
        self.limit = limit
        self.keyLimit = max(1, keyLimit)
    }

    /// Takes a token of `key` if there is one. Otherwise returns the time until there is.
    public func take(_ key: Key, at time: ContinuousClock.Instant = .now) -> Duration? {
        let now = start.duration(to: time)
        return buckets.withLock { buckets in
            if buckets[key] == nil, buckets.count >= keyLimit {
                buckets = buckets.filter { !$0.value.isFull(at: now) }
                if buckets.count >= keyLimit { buckets = [:] }
            }
            return buckets[key, default: TokenBucket(limit, at: now)].takeIfAvailable(at: now)
        }
    }
}
