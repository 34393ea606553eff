import DarkroomCore
import DarkroomTestKit

/// Waits longer than a request allows for an engine that is out of reach.
struct BudgetIgnoringLeases: LeasesWrapper {
    let base: FakeLeases

    func lease(for work: WorkName, budget: TierBudget) async -> LeaseAnswer {
        if !base.isReachable { await pass(.milliseconds(300)) }
        return wrap(await base.lease(for: work, budget: budget), of: work)
    }
}
