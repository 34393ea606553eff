import DarkroomCore
import DarkroomTestKit
import TestSupport
import Testing

@Suite(.bounded)
struct AdmissionBoundsTests {
    private let order = Recorder<String>()

    /// Starts a job that has joined when this returns, and occupies its place until `gate` opens.
    @discardableResult
    private func join(_ queue: AdmissionQueue, _ name: String, group: String? = nil, until gate: Gate? = nil) -> Task<
        Void, any Error
    > {
        Task.immediate { [order] in
            let admission = try await queue.admit(group: group)
            order.note(name)
            try await gate?.waitUnlessCancelled()
            admission.release()
        }
    }

    @Test func fullGroupDoesNotBlockOthers() async throws {
        let (queue, gate) = (AdmissionQueue(limit: 3), Gate())
        queue.groupLimit = 1
        for name in ["a1", "a2", "a3"] { join(queue, name, group: "a", until: gate) }
        for name in ["b1", "b2"] { join(queue, name, group: "b", until: gate) }
        join(queue, "none", until: gate)
        await order.waitForValues(3)
        #expect(Set(order.values) == ["a1", "b1", "none"])
        #expect(queue.runningCount == 3 && queue.waitingCount == 3)
        gate.open()
        await order.waitForValues(6)
        #expect(order.values.filter { $0.hasPrefix("a") } == ["a1", "a2", "a3"])
    }

    @Test func waitersWithoutAGroupAreNotLimited() async throws {
        let (queue, gate) = (AdmissionQueue(limit: 9), Gate())
        queue.groupLimit = 1
        let tasks = (0..<4).map { join(queue, "\($0)", until: gate) }
        await order.waitForValues(4)
        gate.open()
        for task in tasks { try await task.value }
    }

    @Test func newGroupLimitAppliesImmediately() async throws {
        let (queue, gate) = (AdmissionQueue(limit: 9), Gate())
        queue.groupLimit = 0
        #expect(queue.groupLimit == 1)
        let tasks = (0..<4).map { join(queue, "\($0)", group: "a", until: gate) }
        #expect(queue.runningCount == 1)
        queue.groupLimit = 3
        #expect(queue.runningCount == 3)
        queue.groupLimit = nil
        #expect(queue.runningCount == 4)
        gate.open()
        for task in tasks { try await task.value }
    }

    @Test func cancelledWaiterFreesItsPlaceInTheGroup() async throws {
        let (queue, gate) = (AdmissionQueue(limit: 9), Gate())
        queue.groupLimit = 1
        join(queue, "first", group: "a", until: gate)
        let (second, third) = (join(queue, "second", group: "a"), join(queue, "third", group: "a"))
        second.cancel()
        #expect(queue.waitingCount == 1)
        gate.open()
        try await third.value
        #expect(order.values == ["first", "third"])
    }

    @Test func onlyTheBurstStartsImmediately() async throws {
        let queue = AdmissionQueue(limit: 100, clock: ManualClock())
        queue.rate = RateLimit(perSecond: 1, burst: 3)
        let tasks = (0..<5).map { join(queue, "\($0)") }
        for task in tasks.prefix(3) { try await task.value }
        #expect(queue.waitingCount == 2 && queue.runningCount == 0)
        // Without a rate limit, no job waits for it.
        queue.rate = nil
        for task in tasks { try await task.value }
    }

    @Test func waitersAreAdmittedAsTokensArrive() async throws {
        let clock = ManualClock(skipsSleeps: true)
        let queue = AdmissionQueue(limit: 100, clock: clock)
        queue.rate = RateLimit(perSecond: 4, burst: 2)
        let starts = Recorder<Duration>()
        let tasks = (0..<6).map { _ in
            Task.immediate {
                let admission = try await queue.admit()
                starts.note(clock.now.offset)
                admission.release()
            }
        }
        for task in tasks { try await task.value }
        // Each sleep lasts until the next token; the clock of this test skips it.
        #expect(clock.deadlines.map(\.offset) == [1, 2, 3, 4].map { .seconds($0) / 4 })
        #expect(starts.values.count == 6 && starts.values.last == .seconds(1))
    }

    @Test func limitAppliesInAdditionToTheRate() async throws {
        let clock = ManualClock()
        let (queue, gate) = (AdmissionQueue(limit: 1, clock: clock), Gate())
        queue.rate = RateLimit(perSecond: 1, burst: 9)
        let tasks = (0..<3).map { join(queue, "\($0)", until: gate) }
        #expect(queue.runningCount == 1 && queue.waitingCount == 2)
        gate.open()
        for task in tasks { try await task.value }
        // The rate delayed no job, so no timer was set.
        #expect(clock.deadlines.isEmpty)
    }

    @Test func rateIsClampedToItsBounds() {
        #expect(RateLimit(perSecond: .nan, burst: 0) == RateLimit(perSecond: 0.001, burst: 1))
        #expect(RateLimit(perSecond: .infinity, burst: .max) == RateLimit(perSecond: 1e6, burst: 1_000_000))
        var rate = RateLimit(perSecond: 1)
        rate.perSecond = -1
        rate.burst = -1
        let queue = AdmissionQueue(limit: 1)
        queue.rate = rate
        #expect(queue.rate == RateLimit(perSecond: 0.001, burst: 1))
    }
}

extension AdmissionBoundsTests {
    @Test func fullQueueThrowsImmediately() async throws {
        let (queue, gate) = (AdmissionQueue(limit: 1, waitingLimit: 1), Gate())
        let first = Task.immediate {
            let admission = try await queue.admit()
            await gate.wait()
            admission.release()
        }
        let second = Task.immediate { try await queue.admit().release() }
        #expect(queue.runningCount == 1 && queue.waitingCount == 1)
        let error = await #expect(throws: ImageError.self) { try await queue.admit() }
        #expect(error?.kind == .busy)
        second.cancel()
        await #expect(throws: ImageError.self) { try await second.value }
        let third = Task.immediate { try await queue.admit().release() }
        gate.open()
        try await first.value
        try await third.value
        let none = AdmissionQueue(limit: 1, waitingLimit: 0)
        let admission = try await none.admit()
        await #expect(throws: ImageError.self) { try await none.admit() }
        admission.release()
        try await none.admit().release()
    }

    /// Otherwise revalidations in the background would make the requests of clients fail.
    @Test func urgentNewcomerTakesThePlaceOfALessUrgentWaiter() async throws {
        let queue = AdmissionQueue(limit: 1, waitingLimit: 2)
        let first = try await queue.admit()
        let low = (0..<2).map { _ in Task.immediate { try await queue.admit(LoadPriority.low).release() } }
        let urgent = Task.immediate { try await queue.admit().release() }
        #expect(queue.waitingCount == 2)
        await #expect(throws: ImageError.self, "none is less urgent") { try await queue.admit(LoadPriority.low) }
        first.release()
        try await urgent.value
        try await low[0].value
        let error = await #expect(throws: ImageError.self) { try await low[1].value }
        #expect(error?.kind == .busy && queue.waitingCount == 0)
    }

    @Test func urgentNewcomerOfAFullGroupTakesThePlaceOfOneOfItsGroup() async throws {
        let queue = AdmissionQueue(limit: 1, waitingLimit: 9)
        queue.groupWaitingLimit = 1
        let first = try await queue.admit()
        let low = ["a", "b"].map { group in
            Task.immediate { try await queue.admit(LoadPriority.low, group: group).release() }
        }
        let urgent = Task.immediate { try await queue.admit(group: "a").release() }
        #expect(queue.waitingCount == 2)
        first.release()
        try await urgent.value
        try await low[1].value
        let error = await #expect(throws: ImageError.self) { try await low[0].value }
        #expect(error?.kind == .busy)
    }
}
