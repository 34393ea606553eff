import DarkroomCore
import Synchronization

/// A gate that suspends tasks until a test opens it, so that tests need no sleeps.
public final class Gate: Sendable {
    private struct State {
        var isOpen = false
        var arrivals = 0
        var waiters: [FirstValue<Void>] = []
        var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Mutex(State())

    /// Creates a closed gate.
    public init() {}

    /// Waits until the gate is open, even if the task is cancelled.
    public func wait() async { _ = await arrival().value }

    /// Waits until the gate is open.
    ///
    /// - Throws: `CancellationError` if the task is cancelled.
    public func waitUnlessCancelled() async throws {
        _ = await arrival().value(ifCancelled: nil)
        try Task.checkCancellation()
    }

    /// Returns once a total of `count` tasks have arrived at the gate, including earlier arrivals.
    public func waitForArrivals(_ count: Int = 1) async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if state.arrivals < count { state.watchers.append((count, continuation)) }
                return state.arrivals >= count
            }
            if isThere { continuation.resume() }
        }
    }

    /// Opens the gate permanently, and resumes all waiting tasks.
    public func open() {
        let waiters = state.withLock { state in
            state.isOpen = true
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.offer(()) }
    }

    /// Records an arrival without waiting, and returns the number of arrivals so far. A gate can count events this way.
    @discardableResult
    public func arrive() -> Int {
        let (number, ready) = state.withLock { state in
            state.arrivals += 1
            let ready = state.watchers.filter { $0.count <= state.arrivals }
            state.watchers.removeAll { $0.count <= state.arrivals }
            return (state.arrivals, ready)
        }
        for watcher in ready { watcher.continuation.resume() }
        return number
    }

    /// Records an arrival, and returns what ends its wait.
    private func arrival() -> FirstValue<Void> {
        arrive()
        let waiter = FirstValue<Void>()
        let isOpen = state.withLock { state in
            if !state.isOpen { state.waiters.append(waiter) }
            return state.isOpen
        }
        if isOpen { waiter.offer(()) }
        return waiter
    }
}
