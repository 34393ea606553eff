/// The counts of a shared tier on one node, and the state of its breakers.
public struct SharedTierStatistics: Hashable, Sendable {
    /// The answers to requests for leases.
    public struct Leases: Hashable, Sendable {
        /// The leases granted to this node.
        public var granted = 0
        /// The leases held by another node.
        public var held = 0
        /// The requests without an answer, after which this node worked without a lease.
        public var unknown = 0

        /// Creates counts of zero.
        public init() {}
    }

    /// The entries found.
    public var hits = 0

    /// The entries that the store does not have.
    public var misses = 0

    /// The objects rejected because they are damaged, have another key, or are not authentic.
    public var mismatches = 0

    /// The reads that failed or were stopped by the breaker.
    public var failedReads = 0

    /// The entries stored.
    public var stores = 0

    /// The stores and removals that failed, and the stores that were stopped by the breaker, or refused because others stalled.
    public var failedWrites = 0

    /// The answers to requests for leases.
    public var leases = Leases()

    /// The state of the breaker of the object store.
    public var objectBreaker = Breaker.Position.closed

    /// Whether the stores in flight have stalled.
    public var areWritesStalled = false

    /// The state of the breaker of the leases.
    public var leaseBreaker = Breaker.Position.closed

    /// Whether the node works without one of the engines because it is unavailable.
    public var isDegraded: Bool { objectBreaker != .closed || leaseBreaker != .closed || areWritesStalled }

    /// Creates counts of zero.
    public init() {}
}
