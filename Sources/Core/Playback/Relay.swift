import Synchronization

/// An event channel with a single reader, the one that joined last.
///
/// All members may be called from any thread. The channel buffers only the newest event of each kind, and nothing
/// without a reader.
final class Relay<Event: Sendable>: Sendable {
    /// The outcome of a read.
    enum Found {
        case event(Event)
        case nothing
        /// There are no more events, or another reader has joined.
        case end
    }

    private struct State {
        var events: [Event] = []
        /// The number of the current reader; 0 for none.
        var reader = 0
        var lastReader = 0
        var isWoken = false
        var waiter: CheckedContinuation<Void, Never>?

        mutating func wake() -> CheckedContinuation<Void, Never>? {
            isWoken = waiter == nil
            return waiter.take()
        }
    }

    private let state = Mutex(State())
    private let replaces: @Sendable (_ newer: Event, _ older: Event) -> Bool

    /// Creates a channel in which a new event removes the unread ones that it `replaces`.
    init(replaces: @escaping @Sendable (_ newer: Event, _ older: Event) -> Bool) { self.replaces = replaces }

    /// Adds a reader and returns its number. The previous reader's sequence ends.
    func join() -> Int {
        change { state in
            state.lastReader += 1
            state.reader = state.lastReader
            state.events = []
            return state.reader
        }
    }

    /// Returns whether `reader` is the current reader and its sequence has not ended.
    func isReader(_ reader: Int) -> Bool { state.withLock { $0.reader == reader } }

    /// Ends the sequence of `reader`. Returns false if another reader has joined since.
    func leave(_ reader: Int) -> Bool {
        change { state in
            guard state.reader == reader else { return false }
            state.reader = 0
            state.events = []
            return true
        }
    }

    /// Sends `event` to the current reader.
    func send(_ event: Event) {
        change { state in
            guard state.reader != 0 else { return }
            state.events.removeAll { replaces(event, $0) }
            state.events.append(event)
        }
    }

    /// Ends the sequence after the events sent so far.
    func finish() { change { $0.reader = 0 } }

    /// Wakes the reader to check the state of its source again.
    func wake() { change { _ in } }

    /// Whether the reader waits for something to change.
    var isWaiting: Bool { state.withLock { $0.waiter != nil } }

    /// What there is for `reader`.
    func take(_ reader: Int) -> Found {
        state.withLock { state in
            if state.lastReader == reader, !state.events.isEmpty { return .event(state.events.removeFirst()) }
            return state.reader == reader ? .nothing : .end
        }
    }

    /// Waits until anything has changed since the last call, another reader replaces `reader`, or the task is
    /// cancelled.
    func wait(_ reader: Int) async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    let isOver = state.isWoken || state.reader != reader || Task.isCancelled
                    state.isWoken = false
                    if !isOver { state.waiter = continuation }
                    return isOver
                }
                if isOver { continuation.resume() }
                StateChanges.notify()
            }
        } onCancel: {
            wake()
        }
    }

    private func change<Result: Sendable>(_ body: (inout State) -> Result) -> Result {
        let (result, waiter) = state.withLock { state in
            let result = body(&state)
            return (result, state.wake())
        }
        waiter?.resume()
        return result
    }
}
