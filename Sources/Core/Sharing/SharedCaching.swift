/// A cache that this manager shares with those of other nodes, and the leases by which the nodes divide the work.
///
/// It is searched after the caches of the manager, and what is found there is copied into them. Results are stored there in
/// the background. It gets only what a cache for several users may store (``SharingRules``), and requests with caches of
/// their own do not use it.
public struct SharedCaching: Sendable {
    /// The cache. An error, or no answer in time, counts as a miss, or means that nothing is stored.
    public var cache: any DataCache

    /// The leases; `nil` if each node does all the work that it finds undone.
    public var leases: (any WorkLeases)?

    /// The time that a request may spend on calls to the cache and the leases, in total. It is available again once another
    /// node has stored what this one has waited for.
    public var budget = Duration.milliseconds(500)

    /// The time for which the other nodes wait for the store of a result while no store of this node ends. The cache hangs
    /// then, and they make the result themselves.
    public var storePatience = Self.defaultStorePatience

    /// The number of bytes that may wait to be stored. Beyond it, results are not stored in the shared cache.
    public var pendingByteLimit = 32 << 20

    /// The clock of budgets, waits and renewals.
    public var clock: any Clock<Duration> = ContinuousClock()

    /// The default of `storePatience`.
    package static var defaultStorePatience: Duration { .milliseconds(300) }

    /// Creates the options for `cache` and `leases`.
    public init(_ cache: any DataCache, leases: (any WorkLeases)? = nil) {
        self.cache = cache
        self.leases = leases
    }
}
