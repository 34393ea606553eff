import Synchronization

/// A latch that suspends waiters until it is opened, once and for all. Tests use it instead of sleeping.
public final class Latch: Sendable {
    private struct State {
        var isOpen = false
        var waiters: [Int: CheckedContinuation<Void, any Error>] = [:]
        var lastID = 0
    }

    private let state = Mutex(State())

    /// Creates a closed latch.
    public init() {}

    /// Opens the latch, and resumes current and future waiters.
    public func open() {
        let waiters = state.withLock { state in
            state.isOpen = true
            defer { state.waiters = [:] }
            return Array(state.waiters.values)
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Returns once the latch is open; throws if the task is cancelled before.
    public func wait() async throws {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { waiter in
                let isOver = state.withLock { state in
                    let isOver = state.isOpen || Task.isCancelled
                    if !isOver { state.waiters[id] = waiter }
                    return isOver
                }
                if isOver { waiter.resume(with: Result { try Task.checkCancellation() }) }
            }
        } onCancel: {
            let waiter = state.withLock { $0.waiters.removeValue(forKey: id) }
            waiter?.resume(throwing: CancellationError())
        }
    }
}
