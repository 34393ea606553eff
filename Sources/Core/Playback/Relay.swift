import Synchronization

/// Hands what happens to the one who reads it, the reader that came last.
///
/// Anybody may call it from anywhere. It never holds more than the newest event of each sort, and nothing without a reader.
final class Relay<Event: Sendable>: Sendable {
    /// What a reader finds.
    enum Found {
        case event(Event)
        case nothing
        /// There will be no more, or another reader has come.
        case end
    }

    private struct State {
        var events: [Event] = []
        /// The one who reads; 0 for nobody.
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

    /// A relay in which an unread event goes when one comes that `replaces` it.
    init(replaces: @escaping @Sendable (_ newer: Event, _ older: Event) -> Bool) { self.replaces = replaces }

    /// A new reader's number; the one before reads no more.
    func join() -> Int {
        change { state in
            state.lastReader += 1
            state.reader = state.lastReader
            state.events = []
            return state.reader
        }
    }

    /// Whether `reader` came last and its sequence has not ended.
    func isReader(_ reader: Int) -> Bool { state.withLock { $0.reader == reader } }

    /// Ends the sequence of `reader`. False when another has come since.
    func leave(_ reader: Int) -> Bool {
        change { state in
            guard state.reader == reader else { return false }
            state.reader = 0
            state.events = []
            return true
        }
    }

    /// Tells the reader.
    func send(_ event: Event) {
        change { state in
            guard state.reader != 0 else { return }
            state.events.removeAll { replaces(event, $0) }
            state.events.append(event)
        }
    }

    /// Ends the sequence once what was sent is read.
    func finish() { change { $0.reader = 0 } }

    /// Has the reader look again at what it reads from.
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

    /// Returns when anything was changed since the last call, when `reader` reads no more, or when the task is cancelled.
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
