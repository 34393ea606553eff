import DarkroomCore
import DarkroomTestKit

/// Tells those who ask nothing about the holder.
struct RefusingLeases: LeasesWrapper {
    let base: FakeLeases

    func lease(for work: WorkName, budget: TierBudget) async -> LeaseAnswer {
        let answer = await base.lease(for: work, budget: budget)
        if case .held = answer { return .unknown }
        return answer
    }
}
