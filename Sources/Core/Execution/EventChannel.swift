import Synchronization

/// A channel of events with one reader, which finds the events buffered that no newer one has made obsolete.
///
/// All members may be called from any thread, but only one task at a time may read: a second one ends the process.
package final class EventChannel<Event: Sendable, Failure: Error>: Sendable {
    /// The outcome of a read that does not wait.
    package enum Poll {
        case event(Event)
        case empty
        /// There are no more events. The failure, if any, is returned once.
        case end(Failure?)
    }

    private struct State {
        /// The events sent since the reader last took a batch, the newest last.
        var sent: [Event] = []
        /// The batch being read, in reverse: the oldest last.
        var unread: [Event] = []
        var failure: Failure?
        var isFinished = false
        var reader = ReaderSlot()

        mutating func popFirst() -> Event? {
            if unread.isEmpty { (unread, sent) = (sent.reversed(), []) }
            return unread.popLast()
        }
    }

    private let state = Mutex(State())

    /// Creates a channel without events.
    package init() {}

    /// Whether the reader waits for something to change.
    var isWaiting: Bool { state.withLock(\.reader.isAsleep) }

    /// Ends the channel after the events sent so far, with `failure` if there is one.
    package func finish(throwing failure: Failure? = nil) {
        change { state in
            if !state.isFinished { state.failure = failure }
            state.isFinished = true
        }
    }

    /// Ends the channel at once. The unread events are dropped.
    package func cancel() {
        change { state in
            (state.sent, state.unread, state.failure) = ([], [], nil)
            state.isFinished = true
        }
    }

    /// Returns the next event, or why there is none.
    package func poll() -> Poll {
        state.withLock { state in
            if let event = state.popFirst() { return .event(event) }
            return state.isFinished ? .end(state.failure.take()) : .empty
        }
    }

    /// Waits for the next event and returns it; `nil` at the end. Cancelling the task has no effect: end the channel.
    package func next() async throws(Failure) -> Event? {
        while true {
            switch poll() {
            case .event(let event): return event
            case .empty: await wait()
            case .end(let failure?): throw failure
            case .end(nil): return nil
            }
        }
    }

    /// Waits until an event is sent, the channel ends, or `wake()` is called. Returns at once if one of these has
    /// happened since the last wait.
    package func wait() async {
        await withCheckedContinuation { continuation in
            let sleeps = state.withLock { !$0.isFinished && $0.reader.sleep(continuation) }
            if !sleeps { continuation.resume() }
            StateChanges.notify()
        }
    }

    /// Ends the current wait of the reader, or else the next one.
    package func wake() { change { _ in } }

    private func change(_ body: (inout State) -> Void) {
        let reader = state.withLock { state in
            body(&state)
            return state.reader.wake()
        }
        reader?.resume()
    }
}

extension EventChannel where Event: FlightEvent {
    /// Buffers `event` until it is read or becomes obsolete. Has no effect after the end.
    package func send(_ event: Event) {
        change { state in
            // A run may still emit events while its result is being delivered.
            guard !state.isFinished else { return }
            state.unread.removeEvents(replacedBy: event)
            state.sent.coalesce(event)
        }
    }
}

extension EventChannel where Failure == Never {
    /// Returns the events as a sequence. `cancel` is called when its reader leaves.
    package func stream(cancelling cancel: @escaping @Sendable () -> Void) -> AsyncStream<Event> {
        let lease = Lease(onEnd: cancel)
        return AsyncStream { [self, lease] in
            await withTaskCancellationHandler {
                await next()
            } onCancel: {
                lease.end()
            }
        }
    }
}

/// Calls a closure when it is ended explicitly, and when it is deallocated.
final class Lease: Sendable {
    private let onEnd: @Sendable () -> Void

    /// Creates a lease that calls `onEnd`, which may be called several times.
    init(onEnd: @escaping @Sendable () -> Void) { self.onEnd = onEnd }

    /// Calls the closure now.
    func end() { onEnd() }

    deinit { onEnd() }
}
