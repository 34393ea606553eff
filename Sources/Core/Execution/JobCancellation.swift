import Synchronization

/// A switch that cancels one job from outside of its task.
package final class JobCancellation: Sendable {
    private struct State {
        var isCancelled = false
        var lastID = 0
        var handlers: [Int: @Sendable () -> Void] = [:]
    }

    private let state = Mutex(State())

    /// Creates a switch for a job that is not cancelled.
    package init() {}

    /// Whether the job has been cancelled.
    package var isCancelled: Bool { state.withLock(\.isCancelled) }

    /// Cancels the job. Calling it again has no effect.
    package func cancel() {
        let handlers = state.withLock { state in
            state.isCancelled = true
            defer { state.handlers = [:] }
            return state.handlers
        }
        for handler in handlers.values { handler() }
    }

    /// Calls `handler` when the job is cancelled, or now if it has been already.
    package func onCancel(_ handler: @escaping @Sendable () -> Void) { _ = add(handler) }

    /// Runs `body` in a task that ends with the job or with the current task, whichever is cancelled first.
    ///
    /// - Throws: `error` if the job has been cancelled, or the error of `body`.
    package func run<Value: Sendable>(
        orThrow error: @autoclosure () -> ImageError = .cancelled, _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        guard !isCancelled else { throw error() }
        let task = Task.starting { try await body() }
        let id = add { task.cancel() }
        let result = await withTaskCancellationHandler {
            await task.result
        } onCancel: {
            task.cancel()
        }
        if let id { state.withLock { $0.handlers[id] = nil } }
        // A value that arrives after the cancellation is discarded.
        guard !isCancelled else { throw error() }
        return try result.get()
    }

    /// Adds `handler` and returns its number; `nil` if it has been called because the job is cancelled already.
    private func add(_ handler: @escaping @Sendable () -> Void) -> Int? {
        let id = state.withLock { state -> Int? in
            guard !state.isCancelled else { return nil }
            state.lastID += 1
            state.handlers[state.lastID] = handler
            return state.lastID
        }
        if id == nil { handler() }
        return id
    }
}
