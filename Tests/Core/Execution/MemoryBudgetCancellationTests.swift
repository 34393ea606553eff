@testable import DarkroomCore
import DarkroomTestKit
import Synchronization
import TestSupport
import Testing

/// The cancellation of a task at each moment at which it begins to wait for memory.
@Suite(.bounded)
struct MemoryBudgetCancellationTests {
    private let budget = MemoryBudget(byteLimit: 100)

    @Test func taskCancelledBeforeItWaitsLeavesNoWaiter() async throws {
        let first = try await budget.reserve(60)
        let tenant = CancellingTenant()
        budget.add(tenant)
        // The tenant is asked after the first check for cancellation, so the wait begins in a cancelled task.
        let task = Task { [budget] in try await budget.reserve(60) }
        await #expect(throws: ImageError.self) { try await task.value }
        #expect((budget.waitingCount, budget.reservedByteCount) == (0, 60))
        withExtendedLifetime(first) {}
    }

    @Test(.bug(id: "Fix double resumption when a wait for memory is cancelled as it begins"))
    func taskCancelledWhileItsWaiterIsAddedIsNotReportedAsCancelled() async throws {
        var state = MemoryBudgetState(byteLimit: 100)
        try await withCheckedThrowingContinuation { continuation in
            let urgency = Urgency.constant(.normal)
            let waiter = MemoryBudgetState.Waiter(
                byteCount: 1, continuation: continuation, urgency: urgency, watch: urgency.watch {})
            var isCancelled = false
            let isEnqueued = state.enqueue(waiter, as: 1, in: .work) {
                defer { isCancelled = true }
                return isCancelled
            }
            // The cancellation handler resumes the waiter in line; the caller must not resume it, too.
            #expect((isEnqueued, state.waitingCount) == (true, 1))
            continuation.resume()
        }
    }

    @Test func taskCancelledAsItsWaiterArrivesLeavesTheLine() async throws {
        let first = try await budget.reserve(60)
        let gate = Gate()
        let task = Task { [budget] in
            await gate.wait()
            _ = try await budget.reserve(60)
        }
        // The condition is evaluated on the thread that has just added the waiter.
        let cancellation = Task.immediate { [budget] in
            await StateChanges.wait {
                guard budget.waitingCount == 1 else { return false }
                task.cancel()
                return true
            }
        }
        gate.open()
        await cancellation.value
        await #expect(throws: ImageError.self) { try await task.value }
        #expect((budget.waitingCount, budget.reservedByteCount) == (0, 60))
        withExtendedLifetime(first) {}
    }
}

/// A tenant that cancels the task that first asks for its memory.
private final class CancellingTenant: MemoryBudget.Tenant {
    private let hasCancelled = Atomic(false)

    var heldByteCount: Int {
        if !hasCancelled.exchange(true, ordering: .relaxed) { unsafe withUnsafeCurrentTask { unsafe $0?.cancel() } }
        return 0
    }

    func shrink(by byteCount: Int) {}
}
