@testable import DarkroomFleet
import DarkroomTestKit
import Testing

struct BreakerTests {
    private struct Failure: Error {}

    private let clock = ManualClock()

    private func breaker(minimumCallCount: Int = 4) -> Breaker {
        var rule = Breaker.Rule()
        rule.minimumCallCount = minimumCallCount
        return Breaker(rule, clock: clock)
    }

    private func fail(_ breaker: Breaker, times: Int = 1) async {
        for _ in 0..<times { _ = try? await breaker.run { throw Failure() } }
    }

    @Test func opensWhenHalfOfTheCallsFail() async throws {
        let breaker = breaker()
        for _ in 0..<3 { #expect(try await breaker.run { 1 } == 1) }
        await fail(breaker, times: 2)
        #expect(breaker.position == .closed)
        await fail(breaker)
        #expect(breaker.position == .open)
        #expect(try await breaker.run { 1 } == nil)
    }

    @Test func staysClosedWhileThereAreFewCalls() async {
        let breaker = breaker(minimumCallCount: 10)
        await fail(breaker, times: 9)
        #expect(breaker.position == .closed)
        await fail(breaker)
        #expect(breaker.position == .open)
    }

    @Test func failuresOfEarlierWindowsDoNotCount() async {
        let breaker = breaker()
        await fail(breaker, times: 3)
        clock.advance(by: .seconds(2))
        await fail(breaker)
        #expect(breaker.position == .closed)
    }

    @Test func oneCallIsTriedAfterThePause() async throws {
        let breaker = breaker()
        await fail(breaker, times: 4)
        clock.advance(by: .seconds(1))
        let (gate, started) = (Gate(), Gate())
        async let trial = breaker.run {
            started.open()
            await gate.wait()
            return 1
        }
        await started.wait()
        #expect(breaker.position == .trying)
        #expect(try await breaker.run { 2 } == nil)
        gate.open()
        #expect(try await trial == 1)
        #expect(breaker.position == .closed)
    }

    @Test func failedTrialBeginsAnotherPause() async throws {
        let breaker = breaker()
        await fail(breaker, times: 4)
        clock.advance(by: .seconds(1))
        await fail(breaker)
        #expect(breaker.position == .open)
        #expect(try await breaker.run { 1 } == nil)
        clock.advance(by: .seconds(1))
        #expect(try await breaker.run { 1 } == 1)
        #expect(breaker.position == .closed)
    }

    @Test func cancelledCallsSayNothing() async throws {
        let breaker = breaker()
        for _ in 0..<10 { _ = try? await breaker.run { throw CancellationError() } }
        #expect(breaker.position == .closed)
        await fail(breaker, times: 4)
        clock.advance(by: .seconds(1))
        // A cancelled trial does not keep others from trying.
        _ = try? await breaker.run { throw CancellationError() }
        #expect(try await breaker.run { 1 } == 1)
    }
}
