import Synchronization

/// The first of several values that are offered, or the news that there will be none: `nil`. Later offers are ignored.
///
/// Values may be offered on any thread, and before anyone reads. There is one reader at a time. A second one ends the
/// process, instead of leaving the first one waiting for ever.
package final class FirstValue<Value: Sendable>: Sendable {
    /// Receives the value, on the thread that offers it.
    package typealias Reader = @Sendable (Value?) -> Void

    private struct State {
        var value: Value??
        var reader: Reader?
    }

    private let state = Mutex(State())

    /// Creates an instance without a value.
    package init() {}

    /// Whether the value is known.
    package var isKnown: Bool { state.withLock { $0.value != nil } }

    /// Offers `value`. Returns whether it is the first.
    @discardableResult
    package func offer(_ value: Value?) -> Bool {
        let (isFirst, reader) = state.withLock { state -> (Bool, Reader?) in
            guard state.value == nil else { return (false, nil) }
            state.value = .some(value)
            return (true, state.reader.take())
        }
        reader?(value)
        return isFirst
    }

    /// Calls `reader` with the value: now, or once one is offered.
    package func read(_ reader: @escaping Reader) {
        let value = state.withLock { state -> Value?? in
            if state.value == nil {
                precondition(state.reader == nil, "a value that is being read is read a second time")
                state.reader = reader
            }
            return state.value
        }
        if let value { reader(value) }
    }

    /// The value. Cancelling the task does not end the wait for it.
    package var value: Value? {
        get async {
            await withCheckedContinuation { continuation in
                read { continuation.resume(returning: $0) }
            }
        }
    }

    /// Returns the value. Cancelling the task offers `substitute`.
    package func value(ifCancelled substitute: Value?) async -> Value? {
        await withTaskCancellationHandler {
            await value
        } onCancel: {
            offer(substitute)
        }
    }

    /// Returns the value; `nil` if there is none by `end`, or before the task is cancelled. A later reader may still
    /// receive it.
    package func value(by end: Duration, on stopwatch: Stopwatch) async -> Value? {
        if !isKnown {
            let wait = FirstValue()
            read { wait.offer($0) }
            let timer = Task { if (try? await stopwatch.wait(end)) != nil { wait.offer(nil) } }
            _ = await wait.value(ifCancelled: nil)
            timer.cancel()
        }
        // The reader is released after the lock.
        return state.withLock { ($0.value ?? nil, $0.reader.take()) }.0
    }
}
