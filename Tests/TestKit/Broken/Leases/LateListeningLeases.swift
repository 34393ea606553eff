import DarkroomCore
import DarkroomTestKit

/// Listens for the end of a lease only while a node waits.
struct LateListeningLeases: LeasesWrapper {
    let base: FakeLeases

    func wrap(_ lease: any HeldLease, of work: WorkName) -> any HeldLease {
        ClosureHeldLease { limit in
            switch await base.lease(for: work, budget: TierBudget(.seconds(10))) {
            case .held(let lease): return await lease.outcome(within: limit)
            case .granted(let lease):
                await lease.end(.cancelled)
                return nil
            case .unknown: return nil
            }
        }
    }
}
