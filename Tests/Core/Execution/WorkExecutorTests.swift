@testable import DarkroomCore
import DarkroomTestKit
import Dispatch
import TestSupport
import Testing

@Suite(.bounded)
struct WorkExecutorTests {
    @Test func singleThreadRunsJobsInOrder() async {
        let executor = WorkExecutor(name: "test", width: 1)
        let order = Recorder<Int>()
        for index in 0..<1000 { executor.enqueue { order.note(index) } }
        await order.waitForValues(1000)
        #expect(order.values == Array(0..<1000))
    }

    @Test func mostUrgentJobGoesFirst() async {
        let executor = WorkExecutor(name: "test", width: 1)
        let (order, isBusy, hold) = (Recorder<Int>(), Gate(), DispatchSemaphore(value: 0))
        executor.enqueue {
            isBusy.open()
            hold.wait()
        }
        await isBusy.wait()
        let urgencies = [LoadPriority.low, .normal, .normal, .low, .high].map { Urgency($0) }
        for (index, urgency) in urgencies.enumerated() { executor.enqueue(urgency: urgency) { order.note(index) } }
        executor.enqueue { order.note(5) }
        urgencies[1].priority = .low
        urgencies[3].priority = .high
        #expect(executor.waitingCount == 6)
        hold.signal()
        await order.waitForValues(6)
        #expect(order.values == [4, 3, 2, 5, 0, 1])
    }

    @Test func blockedThreadsLeaveTheSharedPoolFree() async {
        let executor = WorkExecutor(name: "test", width: 16)
        let hold = DispatchSemaphore(value: 0)
        let (blocked, released) = (Recorder<Int>(), Recorder<Int>())
        for index in 0..<20 {
            executor.enqueue {
                blocked.note(index)
                hold.wait()
                released.note(index)
            }
        }
        await blocked.waitForValues(16)
        // More threads are blocked than the shared pool has; this job still runs.
        #expect(await Task.detached { 7 }.value == 7)
        #expect(blocked.values.count == 16)
        for _ in 0..<20 { hold.signal() }
        await released.waitForValues(20)
    }

    @Test func errorsOfJobsAreThrown() async {
        let executor = WorkExecutor(name: "test", width: 2)
        await #expect(throws: ImageError.self) { try await executor.run { throw ImageError.cancelled } }
    }
}
