import DarkroomCore
import DarkroomTestKit
import Dispatch
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct WorkExecutorTests {
    @Test func jobsOfOneThreadRunInTheOrderTheyCame() async throws {
        let executor = WorkExecutor(name: "test", width: 1)
        let order = Recorder<Int>()
        let hold = DispatchSemaphore(value: 0)
        let first = Task { try await executor.run { hold.wait() } }
        while executor.idleCount > 0 { await Task.yield() }
        var jobs: [Task<Void, any Error>] = []
        for index in 0..<200 {
            let queued = executor.waitingCount
            jobs.append(Task { try await executor.run { order.note(index) } })
            while executor.waitingCount == queued { await Task.yield() }
        }
        hold.signal()
        try await first.value
        for job in jobs { try await job.value }
        #expect(order.values == Array(0..<200))
    }

    @Test func blockedThreadsLeaveTheSharedPoolFree() async throws {
        let executor = WorkExecutor(name: "test", width: 16)
        let hold = DispatchSemaphore(value: 0)
        let blocked = (0..<16).map { _ in Task { try await executor.run { hold.wait() } } }
        while executor.idleCount > 0 { await Task.yield() }
        // More threads are blocked than the pool has; this still runs.
        let answer = await Task.detached { 7 }.value
        #expect(answer == 7)
        for _ in blocked { hold.signal() }
        for task in blocked { try await task.value }
    }

    @Test func errorsOfTheWorkAreThrown() async {
        let executor = WorkExecutor(name: "test", width: 2)
        await #expect(throws: ImageError.self) { try await executor.run { throw ImageError.cancelled } }
    }
}
