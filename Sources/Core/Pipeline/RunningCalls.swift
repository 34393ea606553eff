import Synchronization

/// The calls in flight that consist of several loads, or may be between two of them.
///
/// A single load is a run as soon as it suspends; `SingleFlight` counts and cancels that.
final class RunningCalls: Sendable {
    /// A call that was started.
    struct Call<Value: Sendable>: Sendable {
        fileprivate let id: Int
        fileprivate let task: Task<Value, any Error>
    }

    private struct State {
        var calls: [Int: @Sendable () -> Void] = [:]
        var lastID = 0
    }

    private let state = Mutex(State())

    /// Whether there are no calls in flight.
    var isEmpty: Bool { state.withLock(\.calls.isEmpty) }

    /// Cancels `call`, which is not in flight any more.
    func cancel(_ call: Call<some Sendable>) {
        state.withLock { _ = $0.calls.removeValue(forKey: call.id) }
        call.task.cancel()
    }

    /// Cancels all calls in flight.
    func cancelAll() {
        let calls = state.withLock { state in
            defer { state.calls = [:] }
            return state.calls.values
        }
        for cancel in calls { cancel() }
    }

    /// Runs `body` in a task, as a call in flight. Cancelling the task of the caller cancels it as well.
    func run<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) async throws -> Value {
        let call = start(body)
        return try await withTaskCancellationHandler {
            try await call.task.value
        } onCancel: {
            call.task.cancel()
        }
    }

    /// Starts `body` in a task, as a call in flight from now on. `completion` is called after it has ended.
    func start<Value: Sendable>(
        _ body: @escaping @Sendable () async throws -> Value,
        completion: @escaping @Sendable (Result<Value, any Error>) -> Void = { _ in }
    ) -> Call<Value> {
        state.withLock { state in
            state.lastID += 1
            let id = state.lastID
            let task = Task { [self] in
                let result: Result<Value, any Error>
                do {
                    result = .success(try await body())
                } catch {
                    result = .failure(error)
                }
                self.state.withLock { _ = $0.calls.removeValue(forKey: id) }
                completion(result)
                return try result.get()
            }
            state.calls[id] = { task.cancel() }
            return Call(id: id, task: task)
        }
    }
}
