import DarkroomCore
import DarkroomTestKit

/// Grants a lease to a request that has no time.
struct TimelessLeases: LeasesWrapper {
    let base: FakeLeases

    func lease(for work: WorkName, budget: TierBudget) async -> LeaseAnswer {
        wrap(await base.lease(for: work, budget: TierBudget(.seconds(10))), of: work)
    }
}
