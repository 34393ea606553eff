import Synchronization

/// The memory that the bytes of one transfer take while they come, and for as long as this object is kept after that.
///
/// One caller at a time lets it grow.
final class TransferMemory: Sendable {
    private struct State {
        var byteCount = 0
        var isFinished = false
    }

    /// Its place among all that wait: who began first goes first.
    let id: Int

    private let budget: MemoryBudget
    private let urgency: Urgency
    private let state = Mutex(State())

    init(_ id: Int, of budget: MemoryBudget, _ urgency: Urgency) {
        self.id = id
        self.budget = budget
        self.urgency = urgency
    }

    deinit {
        let state = state.withLock { $0 }
        budget.update { $0.transfers.giveBack(state.byteCount, of: id, isFinished: state.isFinished) }
    }

    /// Returns when there is room for `byteCount` bytes more. Cancelling the task ends the wait with an error.
    func grow(by byteCount: Int) async throws {
        try await budget.grow(id, by: byteCount, urgency)
        state.withLock { $0.byteCount = $0.byteCount.adding(byteCount) }
    }

    /// Counts `byteCount` bytes that are there already.
    func add(_ byteCount: Int) {
        budget.update { $0.transfers.take(byteCount) }
        state.withLock { $0.byteCount = $0.byteCount.adding(byteCount) }
    }

    /// Notes that all bytes are there. What is done with them must not wait for the memory of another transfer.
    func finish() {
        let wasFinished = state.withLock { state in
            defer { state.isFinished = true }
            return state.isFinished
        }
        if !wasFinished { budget.update { $0.transfers.finish(id) } }
    }
}
