import DarkroomCore
import DarkroomFleet
import DarkroomTestKit

/// Leases without a defect, except for the one that a conforming type adds.
protocol LeasesWrapper: WorkLeases {
    var base: FakeLeases { get }

    /// Returns the lease that replaces `lease`.
    func wrap(_ lease: any WorkLease, of work: WorkName) -> any WorkLease
    /// Returns the held lease that replaces `lease`.
    func wrap(_ lease: any HeldLease, of work: WorkName) -> any HeldLease
}

extension LeasesWrapper {
    func lease(for work: WorkName, budget: TierBudget) async -> LeaseAnswer {
        wrap(await base.lease(for: work, budget: budget), of: work)
    }

    func wrap(_ answer: LeaseAnswer, of work: WorkName) -> LeaseAnswer {
        switch answer {
        case .granted(let lease): .granted(wrap(lease, of: work))
        case .held(let lease): .held(wrap(lease, of: work))
        case .unknown: .unknown
        }
    }

    func wrap(_ lease: any WorkLease, of work: WorkName) -> any WorkLease { lease }
    func wrap(_ lease: any HeldLease, of work: WorkName) -> any HeldLease { lease }
}

/// A lease whose methods are closures.
struct ClosureLease: WorkLease {
    var renewalInterval: Duration
    var mayBeDone: Bool
    var onRenewal: @Sendable () async -> Bool
    var onEnd: @Sendable (WorkOutcome) async -> Void

    /// Creates a lease that behaves as `base`.
    init(_ base: any WorkLease) {
        (renewalInterval, mayBeDone) = (base.renewalInterval, base.mayBeDone)
        onRenewal = { await base.renew() }
        onEnd = { await base.end($0) }
    }

    func renew() async -> Bool { await onRenewal() }
    func end(_ outcome: WorkOutcome) async { await onEnd(outcome) }
}

/// A held lease whose method is a closure.
struct ClosureHeldLease: HeldLease {
    var onWait: @Sendable (Duration) async -> WorkOutcome?

    func outcome(within limit: Duration) async -> WorkOutcome? { await onWait(limit) }
}

/// Does nothing for `duration`, even if the task is cancelled.
func pass(_ duration: Duration) async {
    await Task { _ = await OutcomeListener().outcome(within: duration) }.value
}
