#if os(Linux) || os(macOS)
    import DarkroomCore

    /// The parameters of a simulation.
    struct Scenario: Sendable {
        /// An event in the life of an engine.
        enum Event: Sendable {
            case changeLeases(@Sendable (inout EngineCondition) -> Void)
            case changeStore(@Sendable (inout EngineCondition) -> Void)
            /// The engine of leases forgets all of them.
            case flushLeases
            /// A new process takes the place of the engine of leases.
            case restartLeases
            /// The store answers with errors from now on.
            case failStore
            /// All nodes reach the first half of a divided engine of leases. The other half is gone.
            case endPartition
        }

        var name: String
        let nodeCount: Int
        var seed: UInt64 = 1
        var herd = Herd()
        var balancing = Balancing.random
        var usesStore = true
        var usesLeases = true
        /// Whether the engine of leases is divided into two from the beginning, each of which half of the nodes reach.
        var isPartitioned = false
        /// The number of bytes that a node keeps for the store at most; each entry has one.
        var pendingByteLimit = 32 << 20
        /// The time that a message to the engine of leases takes, or from it.
        var leaseLatency = Duration.microseconds(200)...(.milliseconds(1))
        /// The time that a message to the store takes, or from it.
        var storeLatency = Duration.milliseconds(2)...(.milliseconds(10))
        /// The life of a lease.
        var leaseLife = Duration.seconds(1)
        /// The probability that a renewal is lost.
        var lostRenewals = 0.0
        /// The probability that the first node that gets the lease of an original dies while it fetches.
        var deaths = 0.0
        /// Whether nodes die like a machine without power, whose connections remain open.
        var dieSilently = false
        /// The most by which the clock of a node is wrong.
        var skew = Duration.zero
        /// The most by which the clock of a node is too fast or too slow, in millionths.
        var drift: Int64 = 0
        var events: [(time: Duration, event: Event)] = []

        init(_ name: String, nodes nodeCount: Int) { (self.name, self.nodeCount) = (name, nodeCount) }

        /// Returns this scenario after `change`.
        func with(_ change: (inout Self) -> Void) -> Self {
            var scenario = self
            change(&scenario)
            return scenario
        }
    }
#endif
