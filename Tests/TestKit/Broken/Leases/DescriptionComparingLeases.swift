import DarkroomCore
import DarkroomTestKit

/// Uses the same lease for work with equal descriptions.
struct DescriptionComparingLeases: LeasesWrapper {
    let base: FakeLeases

    func lease(for work: WorkName, budget: TierBudget) async -> LeaseAnswer {
        await base.lease(for: WorkName(work.kind, of: CacheKey(source: work.description)), budget: budget)
    }
}
