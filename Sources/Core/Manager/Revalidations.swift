import Synchronization

/// Questions to origins that go on after something stale was delivered: one a key, however often it is delivered.
final class Revalidations: Sendable {
    private let tasks = Mutex<[FlightKey: Task<Void, Never>]>([:])

    /// Starts `body`, whose failure concerns nobody, unless one for `key` is under way.
    func start(_ key: FlightKey, _ body: @escaping @Sendable () async throws -> Void) {
        tasks.withLock { tasks in
            guard tasks[key] == nil else { return }
            tasks[key] = Task { [self] in
                try? await body()
                self.tasks.withLock { $0[key] = nil }
            }
        }
    }

    /// Ends all that are under way.
    func cancelAll() {
        for task in tasks.withLock({ Array($0.values) }) { task.cancel() }
    }

    /// Returns when everything that was started before has ended.
    func wait() async {
        for task in tasks.withLock({ Array($0.values) }) { await task.value }
    }
}

extension ImageManager {
    /// Asks the origin behind `request`, of which something stale is delivered now. Nobody waits for it, and no caller ends it.
    func revalidate(_ request: Request) {
        let request = request.revalidating
        revalidations.start(request.resultFlight) { [self] in _ = try await shared(request, nil) }
    }
}
