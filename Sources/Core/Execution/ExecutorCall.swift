import Synchronization

/// A call of an executor: its body, which runs on a thread of the executor, and its caller, which waits for the outcome.
final class ExecutorCall<Success: Sendable>: WatchedCall {
    private struct State {
        var body: (@Sendable () throws -> Success)?
        var outcome: Result<Success, any Error>?
        var caller: CheckedContinuation<Void, Never>?
    }

    private let state: Mutex<State>

    init(_ body: @escaping @Sendable () throws -> Success) { state = Mutex(State(body: body)) }

    /// Runs the body, unless the call was given up.
    func run() {
        guard let body = takeBody() else { return }
        end(with: Result(catching: body))
    }

    /// Throws `hang` to the caller, unless the body has just ended. One that has not begun is released, and with it the image
    /// that it would store: its thread may never be free.
    func giveUp(_ hang: HangWatch.Hang) {
        _ = takeBody()
        end(with: .failure(hang))
    }

    /// Waits for the outcome. There is one caller.
    ///
    /// The outcome is read under the lock. A continuation would hand it over as well, but the thread sanitizer does not see
    /// that if the body ends before the task is suspended.
    func outcome() async throws -> Success {
        while true {
            if let outcome = state.withLock(\.outcome) { return try outcome.get() }
            await withCheckedContinuation { caller in
                let isOver = state.withLock { state in
                    if state.outcome == nil { state.caller = caller }
                    return state.outcome != nil
                }
                if isOver { caller.resume() }
            }
        }
    }

    private func takeBody() -> (@Sendable () throws -> Success)? { state.withLock { $0.body.take() } }

    private func end(with outcome: Result<Success, any Error>) {
        let caller = state.withLock { state in
            if state.outcome == nil { state.outcome = outcome }
            return state.caller.take()
        }
        caller?.resume()
    }
}
