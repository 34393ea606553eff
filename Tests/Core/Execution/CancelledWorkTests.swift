@testable import DarkroomCore
import DarkroomTestKit
import Dispatch
import TestSupport
import Testing

/// Work that is cancelled from outside, before and after it has started.
@Suite(.bounded)
struct CancelledWorkTests {
    private let executor = WorkExecutor(name: "test", width: 1)
    private let watch = HangWatch()
    private let runs = Recorder<Int>()

    @Test func workOfACancelledTaskIsNotRun() async {
        let (hold, start) = (DispatchSemaphore(value: 0), Gate())
        executor.enqueue { hold.wait() }
        let waiting = Task { [self] in try await executor.runUnlessCancelled(watchedBy: watch) { _ in runs.note(1) } }
        let early = Task { [self] in
            await start.wait()
            try await executor.runUnlessCancelled(watchedBy: watch) { _ in runs.note(2) }
        }
        await StateChanges.wait { [executor] in executor.waitingCount == 1 }
        waiting.cancel()
        early.cancel()
        start.open()
        hold.signal()
        for task in [waiting, early] { await expectCancellation { try await task.value } }
        #expect(runs.values.isEmpty)
    }

    @Test func runningWorkFindsItsFlagSet() async {
        let (isRunning, hold) = (Gate(), DispatchSemaphore(value: 0))
        let task = Task { [executor, watch] in
            try await executor.runUnlessCancelled(watchedBy: watch) { cancellation in
                isRunning.open()
                hold.wait()
                try cancellation.check()
            }
        }
        await isRunning.wait()
        task.cancel()
        hold.signal()
        await expectCancellation { try await task.value }
    }

    /// The job is cancelled before it runs, while it runs, or while its value is on its way.
    @Test(arguments: 0..<3) func cancelledJobThrowsTheGivenErrorWhateverItReturns(_ moment: Int) async {
        let (job, isRunning, hold) = (JobCancellation(), Gate(), Gate())
        let late = ImageError(.timedOut, .load, "late")
        if moment == 0 { job.cancel() }
        let task = Task {
            try await job.run(orThrow: late) {
                isRunning.open()
                if moment == 1 { try await hold.waitUnlessCancelled() } else { await hold.wait() }
                return 1
            }
        }
        if moment > 0 {
            await isRunning.wait()
            job.cancel()
        }
        hold.open()
        let error = await #expect(throws: ImageError.self) { try await task.value }
        #expect(error?.kind == .timedOut)
    }

    @Test func cancelledTaskEndsItsJobWithTheErrorOfTheJob() async {
        let (job, isRunning, hold) = (JobCancellation(), Gate(), Gate())
        let task = Task {
            try await job.run(orThrow: ImageError(.timedOut, .load, "late")) {
                isRunning.open()
                try await hold.waitUnlessCancelled()
            }
        }
        await isRunning.wait()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(!job.isCancelled)
    }

    private func expectCancellation(_ body: () async throws -> Void) async {
        let error = await #expect(throws: ImageError.self) { try await body() }
        #expect(error?.kind == .cancelled)
    }
}
