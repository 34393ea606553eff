import Synchronization

/// The first of several values that are offered. One task waits for it.
final class FirstValue<Value: Sendable>: Sendable {
    private struct State {
        var value: Value??
        var continuation: CheckedContinuation<Value?, Never>?
    }

    private let state = Mutex(State())

    /// The first value. It must be read only once.
    var value: Value? {
        get async {
            await withCheckedContinuation { continuation in
                let value = state.withLock { state -> Value?? in
                    if state.value == nil { state.continuation = continuation }
                    return state.value
                }
                if let value { continuation.resume(returning: value) }
            }
        }
    }

    func offer(_ value: Value?) {
        let continuation = state.withLock { state -> CheckedContinuation<Value?, Never>? in
            guard state.value == nil else { return nil }
            state.value = .some(value)
            return state.continuation.take()
        }
        continuation?.resume(returning: value)
    }
}
