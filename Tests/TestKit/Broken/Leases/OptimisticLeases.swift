import DarkroomCore
import DarkroomTestKit

/// Claims that another node works if the engine is out of reach.
struct OptimisticLeases: LeasesWrapper {
    let base: FakeLeases

    func lease(for work: WorkName, budget: TierBudget) async -> LeaseAnswer {
        guard base.isReachable else { return .held(ClosureHeldLease { _ in nil }) }
        return wrap(await base.lease(for: work, budget: budget), of: work)
    }
}
