import Synchronization

/// The memory reserved for the bytes that one load reads, from a loader or from data caches, for as long as this object is
/// referenced.
///
/// Only one caller at a time may let it grow.
final class TransferMemory: Sendable {
    private struct State {
        var byteCount = 0
        /// The part that is not of the transfer in progress.
        var earlierByteCount = 0
        var isFinished = false
    }

    /// The rank of the transfer among the waiters: the earliest goes first.
    let id: Int

    let urgency: Urgency

    private let budget: MemoryBudget
    private let state = Mutex(State())

    init(id: Int, budget: MemoryBudget, urgency: Urgency) {
        self.id = id
        self.budget = budget
        self.urgency = urgency
    }

    deinit { release() }

    /// Waits until `byteCount` more bytes are reserved. Cancelling the task ends the wait with an error.
    func grow(by byteCount: Int) async throws {
        guard byteCount > 0 else { return }
        try await budget.grow(id, by: byteCount, urgency: urgency)
        state.withLock { $0.byteCount = $0.byteCount.adding(byteCount) }
    }

    /// Waits until `byteCount` bytes are reserved for the transfer in progress.
    func grow(to byteCount: Int) async throws {
        let missing = missing(byteCount)
        if missing > 0 { try await grow(by: missing) }
    }

    /// Reserves `byteCount` bytes for the transfer in progress, unless it would have to wait for that.
    func growNow(to byteCount: Int) -> Bool {
        let missing = missing(byteCount)
        guard missing > 0 else { return true }
        guard budget.growNow(id, by: missing) else { return false }
        state.withLock { $0.byteCount = $0.byteCount.adding(missing) }
        return true
    }

    private func missing(_ byteCount: Int) -> Int {
        state.withLock { byteCount.adding($0.earlierByteCount).subtracting($0.byteCount) }
    }

    /// Counts `byteCount` bytes that have been received already, except for those that were reserved before.
    func cover(_ byteCount: Int) {
        let added = state.withLock { state in
            let total = byteCount.adding(state.earlierByteCount)
            defer { state.byteCount = max(state.byteCount, total) }
            return max(0, total - state.byteCount)
        }
        budget.update { $0.transfers.take(added) }
    }

    /// Begins a transfer, whose bytes are counted in addition to those that the load has read before.
    func beginTransfer() { state.withLock { $0.earlierByteCount = $0.byteCount } }

    /// Marks the transfer as complete. The work on its bytes does not wait for the memory of other transfers.
    func finish() {
        let wasFinished = state.withLock { state in
            defer { state.isFinished = true }
            return state.isFinished
        }
        if !wasFinished { budget.update { $0.transfers.finish(id) } }
    }

    /// Marks the load as complete, which goes on with an entry of `byteCount` bytes, and not with what it has transferred. A small
    /// entry does not count, as in `EntryMemory`.
    func finish(withEntryOf byteCount: Int) {
        guard byteCount > MemoryBudget.smallReadByteCount else { return }
        state.withLock { $0.earlierByteCount = 0 }
        cover(byteCount)
        finish()
    }

    /// Permits other loads to exceed the share of all transfers, while this one waits for the transfer of another.
    func resign() { if holdsBytes { budget.update { $0.transfers.resign(id) } } }

    /// Releases all bytes early, before the load reads others, except for those of an entry of `keptByteCount` bytes that it
    /// still has.
    func release(keeping keptByteCount: Int = 0) {
        let kept = keptByteCount > MemoryBudget.smallReadByteCount ? keptByteCount : 0
        let state = state.withLock { state in
            defer { state = State(byteCount: min(kept, state.byteCount)) }
            return state
        }
        if state.byteCount > 0 || state.isFinished {
            let released = max(0, state.byteCount - kept)
            budget.update { $0.transfers.release(released, of: id, isFinished: state.isFinished) }
        }
        if kept > state.byteCount { cover(kept) }
    }

    private var holdsBytes: Bool { state.withLock { $0.byteCount > 0 } }
}
