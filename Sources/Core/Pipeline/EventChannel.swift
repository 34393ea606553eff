import Synchronization

/// A channel of load events with one reader. Among unread progress and previews, only the newest are buffered.
final class EventChannel: Sendable {
    private struct State {
        var events: [LoadEvent] = []
        var failure: (any Error)?
        var isFinished = false
        var reader: CheckedContinuation<LoadEvent?, any Error>?
    }

    private let state = Mutex(State())

    /// Delivers `event` to the reader, or buffers it until it is read or replaced. Has no effect after the end.
    func send(_ event: LoadEvent) {
        let reader = state.withLock { state -> CheckedContinuation<LoadEvent?, any Error>? in
            // A run may still emit events while its result is being delivered.
            guard !state.isFinished else { return nil }
            guard state.reader == nil else { return state.reader.take() }
            state.events.note(event)
            return nil
        }
        reader?.resume(returning: event)
    }

    /// Ends the channel after the events sent so far, with `failure` if there is one.
    func finish(_ failure: (any Error)?) {
        let reader = state.withLock { state -> CheckedContinuation<LoadEvent?, any Error>? in
            state.isFinished = true
            guard let reader = state.reader.take() else {
                state.failure = failure
                return nil
            }
            return reader
        }
        if let failure { reader?.resume(throwing: failure) } else { reader?.resume(returning: nil) }
    }

    /// Returns the next event. Only one reader at a time may call it.
    func next() async throws -> LoadEvent? {
        try await withCheckedThrowingContinuation { continuation in
            let answer = state.withLock { state -> Result<LoadEvent?, any Error>? in
                if !state.events.isEmpty { return .success(state.events.removeFirst()) }
                if let failure = state.failure.take() { return .failure(failure) }
                if state.isFinished { return .success(nil) }
                state.reader = continuation
                return nil
            }
            if let answer { continuation.resume(with: answer) }
        }
    }
}

extension EventChannel {
    /// Returns the events as a sequence. `cancel` is called when its reader leaves.
    func stream(cancelling cancel: @escaping @Sendable () -> Void) -> AsyncThrowingStream<LoadEvent, any Error> {
        let lease = Lease(onEnd: cancel)
        return AsyncThrowingStream { [self, lease] in
            try await withTaskCancellationHandler {
                try await next()
            } onCancel: {
                lease.end()
            }
        }
    }
}

/// Calls a closure when it is ended explicitly, and when it is deallocated.
private final class Lease: Sendable {
    private let onEnd: @Sendable () -> Void

    init(onEnd: @escaping @Sendable () -> Void) { self.onEnd = onEnd }

    func end() { onEnd() }

    deinit { onEnd() }
}

extension LoadEvent: FlightEvent {
    func replaces(_ older: LoadEvent) -> Bool {
        switch (older, self) {
        case (.progress, .progress), (.preview, .preview): true
        default: false
        }
    }
}
