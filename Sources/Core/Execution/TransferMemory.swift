import Synchronization

/// The memory reserved for the bytes of one transfer, for as long as this object is referenced.
///
/// Only one caller at a time may let it grow.
final class TransferMemory: Sendable {
    private struct State {
        var byteCount = 0
        var isFinished = false
    }

    /// The rank of the transfer among the waiters: the earliest goes first.
    let id: Int

    private let budget: MemoryBudget
    private let urgency: Urgency
    private let state = Mutex(State())

    init(id: Int, budget: MemoryBudget, urgency: Urgency) {
        self.id = id
        self.budget = budget
        self.urgency = urgency
    }

    deinit {
        let state = state.withLock { $0 }
        budget.update { $0.transfers.release(state.byteCount, of: id, isFinished: state.isFinished) }
    }

    /// Waits until `byteCount` more bytes are reserved. Cancelling the task ends the wait with an error.
    func grow(by byteCount: Int) async throws {
        try await budget.grow(id, by: byteCount, urgency: urgency)
        state.withLock { $0.byteCount = $0.byteCount.adding(byteCount) }
    }

    /// Waits until `byteCount` bytes are reserved in all.
    func grow(to byteCount: Int) async throws {
        let missing = byteCount - state.withLock(\.byteCount)
        if missing > 0 { try await grow(by: missing) }
    }

    /// Counts `byteCount` bytes that have been received already, except for those that were reserved before.
    func cover(_ byteCount: Int) {
        let added = state.withLock { state in
            defer { state.byteCount = max(state.byteCount, byteCount) }
            return max(0, byteCount - state.byteCount)
        }
        budget.update { $0.transfers.take(added) }
    }

    /// Marks the transfer as complete. The work on its bytes does not wait for the memory of other transfers.
    func finish() {
        let wasFinished = state.withLock { state in
            defer { state.isFinished = true }
            return state.isFinished
        }
        if !wasFinished { budget.update { $0.transfers.finish(id) } }
    }
}
