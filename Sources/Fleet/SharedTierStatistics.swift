/// The counts of a shared tier at one node, and the state of its breakers.
public struct SharedTierStatistics: Hashable, Sendable {
    /// The answers to requests for leases.
    public struct Leases: Hashable, Sendable {
        /// The leases that this node got.
        public var granted = 0
        /// The leases that another node held.
        public var held = 0
        /// The requests without an answer: this node worked without a lease.
        public var unknown = 0

        /// Creates counts of zero.
        public init() {}
    }

    /// The entries found.
    public var hits = 0

    /// The entries that the store does not have.
    public var misses = 0

    /// The objects that were not used, because they are damaged, of another key, or not authenticated.
    public var mismatches = 0

    /// The reads that failed, or were not made because the breaker was open.
    public var failedReads = 0

    /// The entries stored.
    public var stores = 0

    /// The stores and removals that failed, or were not made because the breaker was open.
    public var failedWrites = 0

    /// The answers to requests for leases.
    public var leases = Leases()

    /// The state of the breaker of the object store.
    public var objectBreaker = Breaker.Position.closed

    /// Whether the stores and removals in flight hang.
    public var areWritesStalled = false

    /// The state of the breaker of the leases.
    public var leaseBreaker = Breaker.Position.closed

    /// Whether an engine is away, so that the node works without it.
    public var isDegraded: Bool { objectBreaker != .closed || leaseBreaker != .closed || areWritesStalled }

    /// Creates counts of zero.
    public init() {}
}
