import Synchronization

/// The background revalidations after stale images were delivered, at most one per key.
final class Revalidations: Sendable {
    private let tasks = Mutex<[FlightKey: Task<Void, Never>]>([:])

    /// Starts `body`, whose errors are ignored, unless a revalidation of `key` is in flight.
    func start(for key: FlightKey, body: @escaping @Sendable () async throws -> Void) {
        tasks.withLock { tasks in
            guard tasks[key] == nil else { return }
            tasks[key] = Task { [self] in
                // The caller's budget for the shared cache may be spent.
                try? await TierBudget.$current.withValue(nil) { try await body() }
                self.tasks.withLock { $0[key] = nil }
            }
        }
    }

    /// Cancels all revalidations in flight.
    func cancelAll() {
        for task in tasks.withLock({ Array($0.values) }) { task.cancel() }
    }

    /// Waits until all revalidations started so far have ended.
    func wait() async {
        for task in tasks.withLock({ Array($0.values) }) { await task.value }
    }
}
