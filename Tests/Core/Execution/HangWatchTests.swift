@testable import DarkroomCore
import DarkroomTestKit
import Dispatch
import TestSupport
import Testing

/// A clock that notes the end of each sleep.
private struct NotingClock: Clock {
    let base: ManualClock
    let ends: Gate

    var now: ManualClock.Instant { base.now }
    var minimumResolution: Duration { base.minimumResolution }

    func sleep(until deadline: ManualClock.Instant, tolerance: Duration?) async throws {
        defer { ends.arrive() }
        try await base.sleep(until: deadline, tolerance: tolerance)
    }
}

@Suite(.bounded)
struct HangWatchTests {
    private let clock = ManualClock()
    private let watch: HangWatch
    private let executor = WorkExecutor(name: "test", width: 1)
    private let begun = Gate()
    /// Lets a job end.
    private let hold = DispatchSemaphore(value: 0)

    /// A job may run for four whole ticks, each of a second.
    init() { watch = HangWatch(limit: .seconds(4), clock: clock) }

    @Test func callersOfHangingAndWaitingJobsReceiveAnError() async throws {
        let hanging = start()
        await begun.waitForArrivals()
        let waiting = start()
        await StateChanges.wait { executor.waitingCount == 1 }
        await tick(to: 5)
        await #expect(throws: HangWatch.Hang.self) { try await hanging.value }
        await #expect(throws: HangWatch.Hang.self) { try await waiting.value }
        await #expect(throws: HangWatch.Hang.self) { try await executor.run(watchedBy: watch) {} }

        hold.signal()
        // Its turn is after theirs.
        try await executor.run {}
        #expect(begun.arrive() == 2, "a job that was given up has begun")
        #expect(try await executor.run(watchedBy: watch) { 7 } == 7)
    }

    @Test func waitingJobsAreNotGivenUp() async throws {
        let jobs = (0..<4).map { _ in start() }
        for index in 1...4 {
            await begun.waitForArrivals(index)
            await tick(to: 4 * index)
            // The next job must not begin before the last tick has ended.
            await clock.waitForSleeps(4 * index + 1)
            hold.signal()
        }
        for job in jobs { try await job.value }
    }

    @Test func patienceIsAMultipleOfTheLimit() async throws {
        let job = start(patience: 3)
        await begun.waitForArrivals()
        await tick(to: 12)
        hold.signal()
        try await job.value
    }

    @Test func jobThatGoesOnIsNotGivenUp() async throws {
        let progress = HangWatch.Progress()
        let job = start(progress: progress)
        await begun.waitForArrivals()
        await tick(to: 4)
        // The last tick has ended.
        await clock.waitForSleeps(5)
        progress.note()
        await tick(to: 9)
        await clock.waitForSleeps(10)
        hold.signal()
        try await job.value
        let idle = start(progress: progress)
        await begun.waitForArrivals(2)
        await tick(to: 14)
        await #expect(throws: HangWatch.Hang.self) { try await idle.value }
        hold.signal()
    }

    /// Such a job may store an image, and its thread may never be free.
    @Test func jobThatWaitsIsReleasedWhenItIsGivenUp() async throws {
        let hanging = start()
        await begun.waitForArrivals()
        var image: Recorder<Int>? = Recorder()
        weak let remains = image
        let waiting = Task { [image] in try await executor.run(watchedBy: watch) { image?.note(0) } }
        image = nil
        await StateChanges.wait { executor.waitingCount == 1 }
        await tick(to: 5)
        await #expect(throws: HangWatch.Hang.self) { try await waiting.value }
        #expect(remains == nil)
        hold.signal()
        _ = await hanging.result
    }

    @Test func ticksEndAfterTheLastJob() async throws {
        try await executor.run(watchedBy: watch) {}
        #expect(watch.isTicking)
        await tick(to: 1)
        await StateChanges.wait { !watch.isTicking }
    }

    /// Its sleep would remain after the watch.
    @Test func tickerEndsWithItsWatch() async throws {
        let ends = Gate()
        var watch: HangWatch? = HangWatch(limit: .seconds(4), clock: NotingClock(base: clock, ends: ends))
        if let watch { try await executor.run(watchedBy: watch) {} }
        await clock.waitForSleeps(1)
        watch = nil
        await ends.waitForArrivals(1)
    }

    /// Starts a job that runs until `hold` is signalled.
    private func start(patience: Int = 1, progress: HangWatch.Progress? = nil) -> Task<Void, any Error> {
        Task {
            try await executor.run(watchedBy: watch, patience: patience, progress: progress) { [begun, hold] in
                begun.arrive()
                hold.wait()
            }
        }
    }

    /// Lets as many ticks happen as are missing for a total of `count`.
    private func tick(to count: Int) async {
        while clock.now.offset < .seconds(count) {
            // The next one begins when the last one has ended.
            await clock.waitForSleeps(Int(clock.now.offset.components.seconds) + 1)
            clock.advance(by: .seconds(1))
        }
    }
}
