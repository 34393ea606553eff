import Darkroom
import DarkroomTestKit
import Foundation
import HTTPTypes
import Testing

@testable import ThumbnailServer

@Suite(.timeLimit(.minutes(10)))
struct GuardTests {
    @Test func clientOverTheRateLimitIsRefusedWithRetryAfter() throws {
        let limit = KeyedRateLimit<ClientNetwork>(RateLimit(perSecond: 2, burst: 3))
        let (a, b) = (ClientNetwork.address(1), ClientNetwork.address(2))
        let now = ContinuousClock.now
        for _ in 0..<3 { try limit.admit(a, at: now) }
        let problem = #expect(throws: Problem.self) { try limit.admit(a, at: now) }
        #expect(problem?.status == .tooManyRequests)
        #expect(problem?.retryAfter == 1)
        try limit.admit(b, at: now)
        try limit.admit(a, at: now + .milliseconds(500))
    }

    @Test func manyClientsUseBoundedMemory() throws {
        let limit = KeyedRateLimit<ClientNetwork>(RateLimit(perSecond: 1, burst: 1))
        let now = ContinuousClock.now
        for client in UInt64(0)..<25_000 { try limit.admit(.prefix(client), at: now) }
        // Clients whose limit has been replenished are forgotten before the one whose limit has not.
        #expect(throws: Problem.self) { try limit.admit(.prefix(24_999), at: now) }
    }

    private let waiters = Gate()

    private func admission(_ running: Int, _ waiting: Int) -> Admission {
        var limit = Admission.Limit()
        (limit.running, limit.waiting) = (running, waiting)
        return Admission(limit) { [waiters] in waiters.arrive() }
    }

    @Test func requestIsRefusedImmediatelyWhenTheQueueIsFull() async throws {
        let admission = admission(1, 0)
        try await admission.run {
            let problem = await #expect(throws: Problem.self) { try await admission.run {} }
            #expect(problem?.status == .tooManyRequests)
        }
        try await admission.run {}
    }

    @Test func waiterIsAdmittedWhenAnotherRequestEnds() async throws {
        let admission = admission(1, 2)
        let gate = Gate()
        let first = Task { try await admission.run { await gate.pass() } }
        await gate.waitForArrivals()
        let second = Task { try await admission.run { 2 } }
        await waiters.waitForArrivals()
        #expect(admission.counts == (1, 1))
        gate.open()
        #expect(try await second.value == 2)
        try await first.value
        #expect(admission.counts == (0, 0))
    }

    @Test func cancelledWaiterLeavesTheQueue() async throws {
        let admission = admission(1, 1)
        let gate = Gate()
        let first = Task { try await admission.run { await gate.pass() } }
        await gate.waitForArrivals()
        let second = Task { try await admission.run {} }
        await waiters.waitForArrivals()
        #expect(admission.counts == (1, 1))
        second.cancel()
        await #expect(throws: CancellationError.self) { try await second.value }
        #expect(admission.counts.waiting == 0)
        gate.open()
        try await first.value
    }

    @Test func concurrentRequestsForOneKeyShareAFlight() async throws {
        let flights = Flights<String, Int>()
        let gate = Gate()
        let waiters = (0..<5).map { _ in
            Task {
                try await flights.value(for: "a") {
                    await gate.pass()
                    return 7
                }
            }
        }
        await gate.waitForArrivals()
        #expect(flights.count == 1)
        waiters[0].cancel()
        gate.open()
        for waiter in waiters.dropFirst() { #expect(try await waiter.value == 7) }
    }

    @Test func flightIsCancelledWithItsLastWaiter() async throws {
        let flights = Flights<String, Int>()
        let (entered, ended) = (Gate(), Gate())
        let waiter = Task {
            try await flights.value(for: "a") {
                do { try await entered.waitUnlessCancelled() } catch { ended.arrive() }
                return 1
            }
        }
        await entered.waitForArrivals()
        waiter.cancel()
        await ended.waitForArrivals()
        #expect(flights.count == 0)
    }

    @Test func recentCacheKeepsEntriesInUse() {
        let cache = RecentCache<Int, String>(costLimit: 1000)
        cache.store("first", for: 0, cost: 100)
        for number in 1...30 {
            cache.store("\(number)", for: number, cost: 100)
            #expect(cache.value(for: 0) == "first")
            #expect(cache.counts.cost <= 1000)
        }
        #expect(cache.counts.entries == 10)
        #expect(cache.value(for: 1) == nil)
        cache.store("large", for: 99, cost: 600)
        #expect(cache.value(for: 99) == nil)
    }
}
