import DarkroomCore
import DarkroomTestKit
import TestSupport
import Testing

@Suite(.bounded)
struct AdmissionQueueTests {
    private let queue = AdmissionQueue(limit: 1)
    private let order = Recorder<Int>()

    /// Starts a job that has joined the queue when this returns, and ends once it is admitted.
    @discardableResult
    private func join(_ number: Int, _ priority: LoadPriority = .normal) -> Task<Void, any Error> {
        Task.immediate { [queue, order] in
            let admission = try await queue.admit(priority)
            order.note(number)
            admission.release()
            admission.release()
        }
    }

    @Test func firstWaiterIsAdmittedFirst() async throws {
        let first = try await queue.admit()
        for number in 0..<20 { join(number) }
        #expect(queue.waitingCount == 20 && queue.runningCount == 1)
        first.release()
        await order.waitForValues(20)
        #expect(order.values == Array(0..<20))
        #expect(queue.waitingCount == 0)
    }

    @Test func lastWaiterIsAdmittedFirstInLastInFirstOutOrder() async throws {
        queue.order = .lastInFirstOut
        let first = try await queue.admit()
        for number in 2...7 { join(number) }
        first.release()
        await order.waitForValues(6)
        #expect(order.values == [7, 6, 5, 4, 3, 2])
    }

    @Test func higherPriorityIsAdmittedFirst() async throws {
        let first = try await queue.admit()
        for (number, priority) in [LoadPriority.low, .normal, .high, .low, .high].enumerated() {
            join(number, priority)
        }
        first.release()
        await order.waitForValues(5)
        #expect(order.values == [2, 4, 1, 0, 3])
    }

    @Test func suspendedQueueAdmitsNoWaiter() async throws {
        queue.isSuspended = true
        let task = join(1)
        #expect(queue.runningCount == 0 && queue.waitingCount == 1)
        queue.isSuspended = false
        try await task.value
    }

    @Test func higherLimitAdmitsWaitersImmediately() async throws {
        let first = try await queue.admit()
        let task = join(1)
        queue.limit = 2
        try await task.value
        first.release()
    }

    @Test func cancelledWaiterLeavesTheQueueImmediately() async throws {
        let first = try await queue.admit()
        let (waiter, next) = (join(1), join(2))
        waiter.cancel()
        await #expect(throws: ImageError.self) { try await waiter.value }
        #expect(queue.waitingCount == 1)
        first.release()
        try await next.value
        #expect(queue.runningCount == 0 && order.values == [2])
    }

    @Test func cancelAllEndsRunningAndWaitingJobs() async throws {
        let first = try await queue.admit()
        let waiters = [join(1), join(2)]
        queue.cancelAll()
        for waiter in waiters {
            let error = await #expect(throws: ImageError.self) { try await waiter.value }
            #expect(error?.kind == .cancelled)
        }
        #expect(first.cancellation.isCancelled && queue.waitingCount == 0 && queue.runningCount == 1)
        let later = join(3)
        first.release()
        try await later.value
        queue.cancelAll()
        #expect(order.values == [3] && queue.runningCount == 0)
    }

    @Test func cancelAllReachesAJobThatWasJustAdmitted() async throws {
        let first = try await queue.admit()
        let waiter = Task.immediate { [queue] in try await queue.admit() }
        // Its task may not have resumed yet.
        first.release()
        queue.cancelAll()
        #expect(try await waiter.value.cancellation.isCancelled)
    }

    @Test func cancelledTaskIsNotAdmitted() async throws {
        let task = Task { [queue] in
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            try await queue.admit().release()
        }
        await #expect(throws: ImageError.self) { try await task.value }
        #expect(queue.runningCount == 0)
    }

    @Test func limitIsAtLeastOne() async throws {
        let queue = AdmissionQueue(limit: 0)
        let admission = try await queue.admit()
        queue.limit = -1
        #expect(queue.limit == 1)
        admission.release()
        _ = try await queue.admit()
    }

    @Test func concurrentAdmissionsAndCancellationsLeakNoPlace() async throws {
        let (queue, executor) = (AdmissionQueue(limit: 3), WorkExecutor(name: "test", width: 1))
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<300 {
                group.addTask {
                    let task = Task {
                        let admission = try await queue.admit(LoadPriority(rawValue: number % 3) ?? .normal)
                        defer { admission.release() }
                        try await executor.run {}
                    }
                    if number % 3 == 0 { task.cancel() }
                    _ = try? await task.value
                }
            }
        }
        #expect(queue.runningCount == 0 && queue.waitingCount == 0)
    }
}
