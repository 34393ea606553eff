import DarkroomCore
import Synchronization

/// A record of the events of a test in order, for which it can wait without sleeping or polling.
public final class Recorder<Element: Sendable>: Sendable {
    private struct State {
        var elements: [Element] = []
        var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Mutex(State())

    /// Creates an empty recorder.
    public init() {}

    /// All events so far.
    public var values: [Element] { state.withLock { $0.elements } }

    /// Records `element`.
    public func note(_ element: Element) {
        let ready = state.withLock { state in
            state.elements.append(element)
            let ready = state.watchers.filter { $0.count <= state.elements.count }
            state.watchers.removeAll { $0.count <= state.elements.count }
            return ready
        }
        for watcher in ready { watcher.continuation.resume() }
        StateChanges.notify()
    }

    /// Returns once `count` events have been recorded.
    public func waitForValues(_ count: Int) async {
        await withCheckedContinuation { continuation in
            let isReached = state.withLock { state in
                if state.elements.count < count { state.watchers.append((count, continuation)) }
                return state.elements.count >= count
            }
            if isReached { continuation.resume() }
        }
    }
}
