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

/// The events that one reader has not read yet.
private final class EventChannel: Sendable {
    private struct State {
        var events: [LoadEvent] = []
        var failure: (any Error)?
        var isFinished = false
        var reader: CheckedContinuation<LoadEvent?, any Error>?
    }

    private let state = Mutex(State())

    func send(_ event: LoadEvent) {
        let reader = state.withLock { state -> CheckedContinuation<LoadEvent?, any Error>? in
            guard state.reader == nil else { return state.reader.take() }
            if let last = state.events.last, event.replaces(last) { state.events.removeLast() }
            state.events.append(event)
            return nil
        }
        reader?.resume(returning: event)
    }

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

extension LoadEvent {
    /// Whether nobody needs `older` once this has happened.
    fileprivate func replaces(_ older: LoadEvent) -> Bool {
        switch (older, self) {
        case (.progress, .progress), (.preview, .preview): true
        default: false
        }
    }
}
