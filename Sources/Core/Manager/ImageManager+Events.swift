#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif
import Synchronization

extension ImageManager {
    /// What happens while `url` is loaded: progress and previews, and at last the result that `load` would give.
    ///
    /// Whoever reads slowly gets only the newest progress and preview. Leaving the sequence cancels the load.
    public func events(
        for url: URL, context: ImageContext = .init()
    ) -> AsyncThrowingStream<LoadEvent, any Error> {
        let channel = EventChannel()
        let task = Task { [self] in
            do {
                let result = try await load(url, context: context) { channel.send($0) }
                channel.send(.finished(result))
                channel.finish(nil)
            } catch {
                channel.finish(error)
            }
        }
        let lease = Lease { task.cancel() }
        return AsyncThrowingStream { [lease] in
            try await withTaskCancellationHandler {
                try await channel.next()
            } onCancel: {
                lease.end()
            }
        }
    }
}

/// Runs something when the last who holds it lets go.
private final class Lease: Sendable {
    private let onEnd: @Sendable () -> Void

    init(onEnd: @escaping @Sendable () -> Void) { self.onEnd = onEnd }

    func end() { onEnd() }

    deinit { onEnd() }
}

/// The events that one reader has not read yet; of progress and of previews the newest.
final class EventChannel: Sendable {
    private struct State {
        var events: [LoadEvent] = []
        var failure: (any Error)?
        var isFinished = false
        var reader: CheckedContinuation<LoadEvent?, any Error>?
    }

    private let state = Mutex(State())

    /// Hands `event` to the reader, or keeps it until it is read or replaced; after the end it is nobody's.
    func send(_ event: LoadEvent) {
        let reader = state.withLock { state -> CheckedContinuation<LoadEvent?, any Error>? in
            // A run may still be telling it while its result is delivered.
            guard !state.isFinished else { return nil }
            guard state.reader == nil else { return state.reader.take() }
            state.events.note(event)
            return nil
        }
        reader?.resume(returning: event)
    }

    /// Ends the events when those so far are read, with `failure` if there is one.
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

    /// The next event; one reader at a time.
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

extension LoadEvent: FlightEvent {
    func replaces(_ older: LoadEvent) -> Bool {
        switch (older, self) {
        case (.progress, .progress), (.preview, .preview): true
        default: false
        }
    }
}
