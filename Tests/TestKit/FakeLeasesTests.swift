import DarkroomCore
import DarkroomTestKit
import Testing

struct FakeLeasesTests {
    private let clock = ManualClock()
    private let leases: FakeLeases
    private let work = WorkName(.result, of: CacheKey(source: "https://example.com/a.png", variant: ["V"]))

    init() { leases = FakeLeases(life: .seconds(2), clock: clock) }

    private func ask() async -> LeaseAnswer { await leases.lease(for: work, budget: TierBudget(.seconds(1))) }

    @Test func leaseExpiresByTheClock() async throws {
        guard case .granted(let lease) = await ask() else { throw LeaseMissing() }
        clock.advance(by: .seconds(1))
        #expect(await lease.renew())
        clock.advance(by: .milliseconds(1_999))
        #expect(leases.heldNames == [work])
        clock.advance(by: .milliseconds(1))
        #expect(leases.heldNames.isEmpty)
        #expect(await !lease.renew())
        guard case .granted = await ask() else { throw LeaseMissing() }
        #expect(leases.counts.grants == 2)
        #expect(leases.counts.renewals == 1)
    }

    @Test func waitEndsByTheClock() async throws {
        guard case .granted(let lease) = await ask(), case .held(let held) = await ask() else { throw LeaseMissing() }
        async let news = held.outcome(within: .seconds(1))
        await clock.waitForSleeps()
        clock.advance(by: .seconds(1))
        #expect(await news == nil)
        await lease.end(.unshared)
        #expect(await held.outcome(within: .seconds(1)) == .unshared)
        #expect(leases.outcomes(of: work) == [.unshared])
    }

    @Test func refusalsCanBeAwaited() async throws {
        guard case .granted(let lease) = await ask() else { throw LeaseMissing() }
        let waiter = Task {
            guard case .held(let held) = await ask() else { return nil as WorkOutcome? }
            return await held.outcome(within: .seconds(3600))
        }
        await leases.waitForRefusals(1)
        await lease.end(.shared)
        #expect(await waiter.value == .shared)
    }

    @Test func engineOutOfReachHasNoAnswer() async throws {
        guard case .granted(let lease) = await ask() else { throw LeaseMissing() }
        leases.isReachable = false
        guard case .unknown = await ask() else { throw LeaseMissing() }
        #expect(await lease.renew())
        await lease.end(.shared)
        leases.isReachable = true
        guard case .held = await ask() else { throw LeaseMissing() }
        #expect(leases.counts.requests == 3)
        #expect(leases.counts.refusals == 1)
    }

    private struct LeaseMissing: Error {}
}
