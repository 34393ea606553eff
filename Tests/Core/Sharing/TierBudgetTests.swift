import DarkroomCore
import DarkroomTestKit
import Testing

struct TierBudgetTests {
    private let clock = ManualClock()

    @Test func callInTimeReturnsItsResult() async {
        let budget = TierBudget(.seconds(1), clock: clock)
        #expect(await budget.result { 1 } == 1)
        #expect(budget.remaining == .seconds(1))
    }

    @Test func callThatFailsHasNoResult() async {
        let budget = TierBudget(.seconds(1), clock: clock)
        #expect(await budget.result { () throws -> Int in throw CancellationError() } == nil)
    }

    @Test func callThatHangsIsAbandonedWhenTheTimeIsSpent() async {
        let (budget, gate) = (TierBudget(.seconds(1), clock: clock), Gate())
        async let result = budget.result { await gate.wait() }
        await clock.waitForSleeps()
        clock.advance(by: .seconds(1))
        #expect(await result == nil)
        #expect(budget.remaining == .zero)
        gate.open()
    }

    @Test func nothingIsCalledOnceTheTimeIsSpent() async {
        let (budget, calls) = (TierBudget(.seconds(1), clock: clock), Recorder<Int>())
        budget.spend(.seconds(2))
        #expect(await budget.result { calls.note(1) } == nil)
        #expect(calls.values.isEmpty)
    }

    @Test func callOfACancelledTaskIsAbandoned() async {
        let (budget, gate, started) = (TierBudget(.seconds(1), clock: clock), Gate(), Gate())
        let task = Task {
            await budget.result {
                started.open()
                await gate.wait()
            }
        }
        await started.wait()
        task.cancel()
        #expect(await task.value == nil)
        gate.open()
    }
}
