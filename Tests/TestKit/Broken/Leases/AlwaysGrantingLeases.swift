import DarkroomCore
import DarkroomTestKit

/// Grants a lease that another node holds.
struct AlwaysGrantingLeases: LeasesWrapper {
    let base: FakeLeases

    func lease(for work: WorkName, budget: TierBudget) async -> LeaseAnswer {
        await base.lease(for: .sample(beside: work), budget: budget)
    }
}

extension WorkName {
    fileprivate static func sample(beside work: WorkName) -> WorkName {
        let number = UInt64.random(in: 0...UInt64.max)
        return WorkName(work.kind, of: CacheKey(source: work.key.source, variant: work.key.variant + ["\(number)"]))
    }
}
