import Synchronization

/// The connections of a server.
final class ConnectionList: Sendable {
    /// `nil` after `end()`.
    private let tasks = Mutex<[Task<Void, Never>]?>([])

    /// Starts to serve a connection. After `end()`, `serve` runs cancelled.
    func add(_ serve: @escaping @Sendable () async -> Void) {
        tasks.withLock { tasks in
            let task = Task { await serve() }
            if tasks?.append(task) == nil { task.cancel() }
        }
    }

    /// Cancels all connections, and returns when they have ended.
    func end() async {
        let tasks = tasks.withLock { $0.take() } ?? []
        for task in tasks { task.cancel() }
        for task in tasks { await task.value }
    }
}
