import Dispatch
import Synchronization

/// Runs blocking work on threads of its own, in order of arrival, so that it never blocks the cooperative thread pool.
///
/// The work runs on serial dispatch queues, whose threads are separate from that pool. (Those of concurrent queues are
/// not, on Linux.)
public final class WorkExecutor: Sendable {
    private struct State {
        /// The waiting jobs. Those before `first` are done and about to be dropped.
        var jobs: [@Sendable () -> Void] = []
        var first = 0
        var idle: [DispatchQueue]

        mutating func next() -> (@Sendable () -> Void)? {
            guard first < jobs.count else {
                jobs.removeAll(keepingCapacity: true)
                first = 0
                return nil
            }
            defer { first += 1 }
            if first > 64, first * 2 > jobs.count {
                jobs.removeFirst(first)
                first = 0
            }
            return jobs[first]
        }
    }

    private let state: Mutex<State>

    /// The number of jobs that run at once.
    public let width: Int

    /// Creates an executor of `width` threads, at least 1. `name` labels the threads in a debugger.
    public init(name: String, width: Int) {
        self.width = max(1, width)
        state = Mutex(State(idle: (0..<max(1, width)).map { DispatchQueue(label: "darkroom.\(name).\($0)") }))
    }

    /// The number of jobs that wait for a thread.
    package var waitingCount: Int { state.withLock { $0.jobs.count - $0.first } }

    /// Runs `body` and returns or throws its outcome.
    ///
    /// Cancelling the task does not interrupt `body`; pass it a ``CancellationFlag`` for that.
    public func run<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
        let handover = Handover()
        defer { handover.acquire() }
        return try await withCheckedThrowingContinuation { continuation in
            enqueue {
                let outcome = Swift.Result(catching: body)
                handover.release()
                continuation.resume(with: outcome)
            }
        }
    }

    /// Runs `job` as soon as a thread is free.
    func enqueue(_ job: @escaping @Sendable () -> Void) {
        let idle = state.withLock { state in
            state.jobs.append(job)
            return state.idle.popLast()
        }
        StateChanges.notify()
        guard let idle else { return }
        idle.async { self.drain(on: idle) }
    }

    /// Runs jobs until none waits, then marks `queue` as idle.
    private func drain(on queue: DispatchQueue) {
        while true {
            let job = state.withLock { state in
                let job = state.next()
                if job == nil { state.idle.append(queue) }
                return job
            }
            guard let job else { return }
            job()
        }
    }
}

/// Shows the thread sanitizer that the outcome of a job is written before its task reads it.
///
/// The continuation ensures that, but the sanitizer does not see it if the job ends before the task is suspended.
private final class Handover: Sendable {
    private let isDone = Atomic(false)

    func release() { isDone.store(true, ordering: .releasing) }

    func acquire() { _ = isDone.load(ordering: .acquiring) }
}
