import DarkroomCore
import DarkroomTestKit
import Testing

@testable import DarkroomFleet

/// Leases of an engine that answers after 250 ms.
private struct SlowLeases: WorkLeases {
    let clock: ManualClock
    let spendsTime: Bool

    func lease(for work: WorkName, budget: TierBudget) async -> LeaseAnswer {
        clock.advance(by: .milliseconds(250))
        if spendsTime { budget.spend(.milliseconds(250)) }
        return .unknown
    }
}

struct BreakingLeasesTests {
    @Test(arguments: [true, false]) func timeOfACallIsSpentOnce(_ spendsTime: Bool) async {
        let clock = ManualClock()
        let leases = BreakingLeases(SlowLeases(clock: clock, spendsTime: spendsTime), rule: .init(), clock: clock) {
            true
        }
        let budget = TierBudget(.milliseconds(500), clock: clock)
        let work = WorkName(.original, of: CacheKey(source: "a"))
        _ = await leases.lease(for: work, budget: budget)
        #expect(budget.remaining == .milliseconds(250))
    }
}
