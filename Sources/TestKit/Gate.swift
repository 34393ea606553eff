import Synchronization

/// A gate that suspends tasks until a test opens it, so that tests need no sleeps.
public final class Gate: Sendable {
    private struct State {
        var isOpen = false
        var arrivals = 0
        var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
        /// The tasks that were cancelled before they were suspended.
        var cancelled: Set<Int> = []
        var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Mutex(State())

    /// Creates a closed gate.
    public init() {}

    /// Waits until the gate is open, even if the task is cancelled.
    public func wait() async { await wait(arrive()) }

    /// Waits until the gate is open.
    ///
    /// - Throws: `CancellationError` if the task is cancelled.
    public func waitUnlessCancelled() async throws {
        let number = arrive()
        await withTaskCancellationHandler {
            await wait(number)
        } onCancel: {
            cancel(number)
        }
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
            defer { state.waiters = [:] }
            return state.waiters.values
        }
        for continuation in waiters { continuation.resume() }
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

    private func wait(_ number: Int) async {
        await withCheckedContinuation { continuation in
            let isReady = state.withLock { state in
                let isReady = state.isOpen || state.cancelled.remove(number) != nil
                if !isReady { state.waiters[number] = continuation }
                return isReady
            }
            if isReady { continuation.resume() }
        }
    }

    private func cancel(_ number: Int) {
        let waiters = state.withLock { state in
            let waiters = state.waiters.removeValue(forKey: number)
            if waiters == nil { state.cancelled.insert(number) }
            return waiters
        }
        waiters?.resume()
    }
}
