import Synchronization

/// The revalidations that go on in the background after a stale picture was delivered: one a key, however often it is.
final class Revalidations: Sendable {
    private let tasks = Mutex<[FlightKey: Task<Void, Never>]>([:])

    /// Starts `body`, whose failure is ignored, unless a revalidation of `key` is under way.
    func start(_ key: FlightKey, _ body: @escaping @Sendable () async throws -> Void) {
        tasks.withLock { tasks in
            guard tasks[key] == nil else { return }
            tasks[key] = Task { [self] in
                try? await body()
                self.tasks.withLock { $0[key] = nil }
            }
        }
    }

    /// Cancels all that are under way.
    func cancelAll() {
        for task in tasks.withLock({ Array($0.values) }) { task.cancel() }
    }

    /// Returns when every revalidation started so far has ended.
    func wait() async {
        for task in tasks.withLock({ Array($0.values) }) { await task.value }
    }
}
