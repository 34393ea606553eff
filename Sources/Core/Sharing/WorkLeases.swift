/// Leases that let one node of a fleet do work while the others wait for its result.
///
/// No method throws: an engine that gives no answer must not stop any work, so every failure is an answer that permits
/// it. Implementations bound each call by the time that the caller allows.
public protocol WorkLeases: Sendable {
    /// Asks for the lease of `work`, for at most the time that is left in `budget`.
    ///
    /// If another node holds the lease, the answer already listens for its end, so that an end between the question and
    /// the wait is not missed.
    func lease(for work: WorkName, budget: TierBudget) async -> LeaseAnswer
}

/// The answer to a request for a lease.
public enum LeaseAnswer: Sendable {
    /// This node does the work, and then ends the lease.
    case granted(any WorkLease)
    /// Another node does the work, and can be waited for.
    case held(any HeldLease)
    /// There is no answer, because the engine is out of reach or out of time. Any node may do the work.
    case unknown
}

/// A lease that this node holds. It expires by itself if the node dies.
public protocol WorkLease: Sendable {
    /// The time between renewals, a third of the life of the lease.
    var renewalInterval: Duration { get }

    /// Whether a lease of the same work has ended with ``WorkOutcome/shared`` within the last ten seconds, as far as the
    /// engine remembers. Then this node looks into the shared cache once more before it works. By default `true`.
    var mayBeDone: Bool { get }

    /// Extends the lease by its whole life. Returns whether this node still holds it; a failure to reach the engine
    /// counts as yes, because the next renewal may be in time.
    func renew() async -> Bool

    /// Ends the lease, if this node still holds it, and tells the nodes that wait how the work ended.
    func end(_ outcome: WorkOutcome) async
}

extension WorkLease {
    /// `true`, for engines that remember nothing of leases that have ended.
    public var mayBeDone: Bool { true }
}

/// A lease that another node holds.
public protocol HeldLease: Sendable {
    /// Waits until the holder ends its lease, or for `limit`. Returns the outcome of its work; `nil` if there is no
    /// news. Called repeatedly, from one task. Cancelling the task ends the wait.
    func outcome(within limit: Duration) async -> WorkOutcome?
}

/// The way in which leased work ended.
public enum WorkOutcome: String, Hashable, Sendable, CaseIterable {
    /// The result is in the shared cache.
    case shared
    /// The work has succeeded, but its result is not in the shared cache, because it must not be shared or could not be
    /// stored.
    case unshared
    /// The work has failed.
    case failed
    /// The work was given up: nobody on the node waited for it any longer.
    case cancelled
}
