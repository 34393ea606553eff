import Synchronization

/// Holds tasks until a test opens it, so that nothing has to sleep for luck.
public final class Gate: Sendable {
    private struct State {
        var isOpen = false
        var arrivals = 0
        var held: [CheckedContinuation<Void, Never>] = []
        var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Mutex(State())

    /// A closed gate.
    public init() {}

    /// Waits until the gate is open. Cancelling the task does not open it.
    public func pass() async {
        await withCheckedContinuation { continuation in
            let (passes, watchers) = state.withLock { state in
                state.arrivals += 1
                let ready = state.watchers.filter { $0.count <= state.arrivals }
                state.watchers.removeAll { $0.count <= state.arrivals }
                if !state.isOpen { state.held.append(continuation) }
                return (state.isOpen, ready)
            }
            for watcher in watchers { watcher.continuation.resume() }
            if passes { continuation.resume() }
        }
    }

    /// Returns when `count` tasks have come to the gate, now or before.
    public func arrivals(_ count: Int = 1) async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if state.arrivals < count { state.watchers.append((count, continuation)) }
                return state.arrivals >= count
            }
            if isThere { continuation.resume() }
        }
    }

    /// Lets everybody pass, from now on.
    public func open() {
        let held = state.withLock { state in
            state.isOpen = true
            defer { state.held = [] }
            return state.held
        }
        for continuation in held { continuation.resume() }
    }
}
