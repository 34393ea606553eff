import DarkroomCore
import DarkroomTestKit
import Synchronization
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

/// Leases that another node holds, and ends never.
private struct LeasesOfAnotherNode: WorkLeases {
    private struct Held: HeldLease {
        let asked: AsyncStream<Void>.Continuation

        func outcome(within limit: Duration) async -> WorkOutcome? {
            asked.yield()
            return nil
        }
    }

    let asked: AsyncStream<Void>.Continuation

    func lease(for work: WorkName, budget: TierBudget) async -> LeaseAnswer { .held(Held(asked: asked)) }
}

struct BreakingLeasesTests {
    /// What the holder stores cannot be read, so that waiting for it is of no use.
    @Test func waitEndsWhenTheStoreIsOutOfReach() async throws {
        let (waits, asked) = AsyncStream<Void>.makeStream()
        let isReached = Mutex(true)
        let leases = BreakingLeases(LeasesOfAnotherNode(asked: asked), rule: .init()) { isReached.withLock { $0 } }
        let work = WorkName(.result, of: CacheKey(source: "a"))
        guard case .held(let held) = await leases.lease(for: work, budget: TierBudget(.seconds(1))) else {
            Issue.record("the lease is not held")
            return
        }
        #expect(await held.outcome(within: .milliseconds(250)) == nil)
        isReached.withLock { $0 = false }
        #expect(await held.outcome(within: .milliseconds(250)) == .unshared)
        asked.finish()
        #expect(await waits.reduce(0) { count, _ in count + 1 } == 3)
    }

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
