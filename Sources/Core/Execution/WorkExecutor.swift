import Dispatch
import Synchronization

/// Runs blocking work on threads of its own, so that it never blocks the cooperative thread pool.
///
/// The most urgent job goes first, and among equals the oldest; after 15 others in a row, the oldest of all is next
/// (``LoadPriority``). The work runs on serial dispatch queues, whose threads are separate from that pool. (Those of
/// concurrent queues are not, on Linux.)
public final class WorkExecutor: Sendable {
    private struct Job {
        let body: @Sendable () -> Void
        let watch: Urgency.Watch
    }

    private struct State {
        var line = WaitingLine<Job>()
        var idle: [DispatchQueue]
    }

    private let state: Mutex<State>
    private let lastID = Atomic(0)

    /// The number of jobs that run at once.
    public let width: Int

    /// Creates an executor of `width` threads, at least 1. `name` labels the threads in a debugger.
    public init(name: String, width: Int) {
        self.width = max(1, width)
        state = Mutex(State(idle: (0..<max(1, width)).map { DispatchQueue(label: "darkroom.\(name).\($0)") }))
    }

    /// The number of jobs that wait for a thread.
    package var waitingCount: Int { state.withLock(\.line.count) }

    /// Runs `body` at normal priority, and returns or throws its outcome.
    ///
    /// Cancelling the task does not interrupt `body`; pass it a ``CancellationFlag`` for that.
    public func run<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
        try await run(urgency: .constant(.normal), body)
    }

    /// Runs `body` like ``run(_:)``. Its place in line changes with `urgency`.
    public func run<Result: Sendable>(
        urgency: Urgency, _ body: @escaping @Sendable () throws -> Result
    ) async throws -> Result {
        let call = ExecutorCall(body)
        enqueue(urgency: urgency) { call.run() }
        return try await call.outcome()
    }

    /// Runs `job` as soon as a thread is free, and no other job is more urgent.
    package func enqueue(urgency: Urgency = .constant(.normal), _ job: @escaping @Sendable () -> Void) {
        // While a thread is idle, no job waits.
        if let idle = state.withLock({ $0.idle.popLast() }) { return start(on: idle, with: job) }
        let id = lastID.add(1, ordering: .relaxed).newValue
        let watch = urgency.watch { [weak self] in
            self?.state.withLock { $0.line.move(id, to: urgency.priority) }
        }
        let idle = state.withLock { state in
            state.line.join(Job(body: job, watch: watch), id: id, priority: urgency.priority)
            return state.idle.popLast()
        }
        StateChanges.notify()
        if let idle { start(on: idle) }
    }

    private func start(on queue: DispatchQueue, with job: @escaping @Sendable () -> Void = {}) {
        queue.async {
            job()
            self.drain(on: queue)
        }
    }

    /// Runs jobs until none waits, then marks `queue` as idle.
    private func drain(on queue: DispatchQueue) {
        while true {
            let job = state.withLock { state in
                let job = state.line.next()?.waiter
                if job == nil { state.idle.append(queue) }
                return job
            }
            guard let job else { return }
            job.body()
        }
    }
}
