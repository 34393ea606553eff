import Synchronization

/// Wakes tests that wait until components have reached a state, so that none of them sleeps or spins.
///
/// Queues, budgets and executors notify after each change. While no test waits, that is the load of one atomic.
package enum StateChanges {
    private struct Watcher {
        let condition: @Sendable () -> Bool
        let continuation: CheckedContinuation<Void, Never>
    }

    private static let watchers = Mutex<[Int: Watcher]>([:])
    private static let watcherCount = Atomic(0)
    private static let lastID = Atomic(0)

    /// Evaluates all conditions again. Call it after a change, without holding a lock.
    package static func notify() {
        guard watcherCount.load(ordering: .relaxed) > 0 else { return }
        // An array of its own, because the thread sanitizer does not see when the last reference to a shared dictionary ends.
        for (id, watcher) in watchers.withLock({ Array($0) }) where watcher.condition() { end(id) }
    }

    /// Returns when `condition` holds. It is evaluated now and after each notification, on any thread.
    package static func wait(until condition: @escaping @Sendable () -> Bool) async {
        let id = lastID.add(1, ordering: .relaxed).newValue
        await withCheckedContinuation { continuation in
            // Counted first: a change that this does not see yet will look for watchers.
            watcherCount.add(1, ordering: .relaxed)
            watchers.withLock { $0[id] = Watcher(condition: condition, continuation: continuation) }
            if condition() { end(id) }
        }
    }

    private static func end(_ id: Int) {
        guard let watcher = watchers.withLock({ $0.removeValue(forKey: id) }) else { return }
        watcherCount.subtract(1, ordering: .relaxed)
        watcher.continuation.resume()
    }
}
