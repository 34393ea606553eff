import DarkroomCore
import DarkroomTestKit

/// Notices the end of a lease late.
struct SlowlyPollingLeases: LeasesWrapper {
    let base: FakeLeases

    func wrap(_ lease: any HeldLease, of work: WorkName) -> any HeldLease {
        ClosureHeldLease { limit in
            let outcome = await lease.outcome(within: limit)
            if outcome != nil { await pass(.milliseconds(150)) }
            return outcome
        }
    }
}
