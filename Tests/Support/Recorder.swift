import DarkroomCore
import Synchronization

/// What happened in a test, in the order it happened; and a way to wait for it without sleeping or spinning.
public final class Recorder<Element: Sendable>: Sendable {
    private struct State {
        var elements: [Element] = []
        var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Mutex(State())

    /// Nothing has happened yet.
    public init() {}

    /// Everything so far.
    public var values: [Element] { state.withLock { $0.elements } }

    /// Notes `element`.
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

    /// Returns when `count` things have happened.
    public func reached(_ count: Int) async {
        await withCheckedContinuation { continuation in
            let isReached = state.withLock { state in
                if state.elements.count < count { state.watchers.append((count, continuation)) }
                return state.elements.count >= count
            }
            if isReached { continuation.resume() }
        }
    }
}
