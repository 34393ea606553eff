import Synchronization

/// Work that goes on after its result was delivered, so that somebody can wait for all of it.
final class PendingWork: Sendable {
    private struct State {
        var tasks: [Int: Task<Void, Never>] = [:]
        var lastID = 0
    }

    private let state = Mutex(State())

    /// Starts `body`, whose failure concerns nobody.
    func start(_ body: @escaping @Sendable () async throws -> Void) {
        state.withLock { state in
            state.lastID += 1
            let id = state.lastID
            state.tasks[id] = Task { [self] in
                try? await body()
                self.state.withLock { $0.tasks[id] = nil }
            }
        }
    }

    /// Returns when everything that was started before has ended.
    func wait() async {
        for task in state.withLock({ Array($0.tasks.values) }) { await task.value }
    }
}
