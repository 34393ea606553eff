import Synchronization

/// The number of objects of a kind that exist, for tests of what keeps them alive.
public final class ObjectCount: Sendable {
    private struct State {
        var value = 0
        var lastID = 0
        /// Those who wait until there are none.
        var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
    }

    private let state = Mutex(State())

    /// Creates a count of zero.
    public init() {}

    /// The number of objects.
    public var value: Int { state.withLock(\.value) }

    /// Counts an object that has been created.
    public func add() { state.withLock { $0.value += 1 } }

    /// Counts an object that has ended.
    public func remove() {
        let waiters = state.withLock { state in
            state.value -= 1
            guard state.value == 0 else { return state.waiters.values.prefix(0) }
            defer { state.waiters = [:] }
            return state.waiters.values.prefix(.max)
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Returns when there is no object any more, but after `limit` at the latest. Whether there is none.
    public func isZero(within limit: Duration) async -> Bool {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        var timeout: Task<Void, any Error>?
        await withCheckedContinuation { continuation in
            let isZero = state.withLock { state in
                if state.value > 0 { state.waiters[id] = continuation }
                return state.value == 0
            }
            guard !isZero else { return continuation.resume() }
            timeout = Task {
                try await Task.sleep(for: limit)
                state.withLock { $0.waiters.removeValue(forKey: id) }?.resume()
            }
        }
        timeout?.cancel()
        return value == 0
    }
}
