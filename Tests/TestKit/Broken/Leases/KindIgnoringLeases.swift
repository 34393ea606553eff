import DarkroomCore
import DarkroomTestKit

/// Uses the same lease for an original and a result.
struct KindIgnoringLeases: LeasesWrapper {
    let base: FakeLeases

    func lease(for work: WorkName, budget: TierBudget) async -> LeaseAnswer {
        await base.lease(for: WorkName(.result, of: work.key), budget: budget)
    }
}
