import Synchronization

/// A queue that limits how many jobs run at once, such as the transfers of a loader. The others wait in line, the most
/// urgent first.
///
/// Two further limits are optional: one for the jobs of each group, such as those of one host, and one for the rate at
/// which jobs start.
public final class AdmissionQueue: Sendable {
    fileprivate struct Waiter {
        let continuation: CheckedContinuation<Admission, any Error>
        let group: String?
        let urgency: Urgency
        let watch: Urgency.Watch
        let cancellation = JobCancellation()
    }

    private struct State {
        var limit: Int
        var waitingLimit: Int
        var groupWaitingLimit: Int?
        var line: WaitingLine<Waiter>
        var rate: RateLimit?
        var bucket: TokenBucket?
        var isSuspended = false
        /// The running jobs, by the identifiers that they had as waiters.
        var running: [Int: JobCancellation] = [:]
        var lastID = 0
        /// The timer that tries again once the rate limit allows the next start.
        var rateTimer: Task<Void, Never>?

        var runningCount: Int { running.count }

        /// Adds `waiter` to the line. If too many are waiting already, returns the one that is refused: the last in line that
        /// is less urgent, or else `waiter` itself.
        mutating func join(_ waiter: Waiter, id: Int) -> Waiter? {
            let (priority, group) = (waiter.urgency.priority, waiter.group)
            let isGroupFull = line.count(in: group) >= groupWaitingLimit ?? .max
            var displaced: Waiter?
            if isGroupFull || line.count >= waitingLimit && (isSuspended || runningCount >= limit || line.isReady) {
                displaced = line.displaceLast(of: isGroupFull ? group : nil, for: priority)
                if displaced == nil { return waiter }
            }
            line.join(waiter, id: id, priority: priority, group: group)
            return displaced
        }

        /// Whether a waiter may be admitted, apart from the rate limit.
        var canAdmit: Bool { !isSuspended && runningCount < limit && line.isReady }

        /// Removes the waiters whose turn has come, counts them as admitted, and returns them.
        mutating func admit(at now: Duration) -> [(id: Int, waiter: Waiter)] {
            var admitted: [(id: Int, waiter: Waiter)] = []
            while canAdmit, bucket.map({ $0.due <= now }) ?? true, let next = line.next() {
                running[next.id] = next.waiter.cancellation
                bucket?.take(at: now)
                admitted.append((next.id, next.waiter))
            }
            return admitted
        }
    }

    private let state: Mutex<State>
    private let stopwatch: Stopwatch

    /// Creates a queue that runs at most `limit` jobs at once, at least 1. `clock` times the rate limit. If `waitingLimit` jobs
    /// are waiting, a newcomer fails with an error of kind `busy`, or in its place the last of those that are less urgent.
    package init<C: Clock>(
        limit: Int, waitingLimit: Int = .max, order: LoadOrder = .firstInFirstOut, clock: C = ContinuousClock()
    ) where C.Duration == Duration {
        let line = WaitingLine<Waiter>(order: order)
        state = Mutex(State(limit: max(1, limit), waitingLimit: max(0, waitingLimit), line: line))
        stopwatch = Stopwatch(clock)
    }

    deinit { state.withLock { $0.rateTimer.take() }?.cancel() }

    /// The number of jobs that may run at once. A change takes effect immediately.
    package var limit: Int {
        get { state.withLock(\.limit) }
        set { update { $0.limit = max(1, newValue) } }
    }

    /// The number of jobs of one group that may run at once, at least 1; `nil` for no limit.
    ///
    /// A group at its limit does not hold up the other groups.
    package var groupLimit: Int? {
        get { state.withLock(\.line.groupLimit) }
        set { update { $0.line.groupLimit = newValue.map { max(1, $0) } } }
    }

    /// The number of jobs of one group that may wait; `nil` for no limit but that of all. It only concerns newcomers.
    package var groupWaitingLimit: Int? {
        get { state.withLock(\.groupWaitingLimit) }
        set { update { $0.groupWaitingLimit = newValue } }
    }

    /// The rate at which jobs may start; `nil` for no limit. Setting a different rate starts with a full bucket.
    package var rate: RateLimit? {
        get { state.withLock(\.rate) }
        set {
            update { state in
                let newValue = newValue?.clamped
                guard state.rate != newValue else { return }
                state.rate = newValue
                state.bucket = newValue.map { TokenBucket($0) }
                state.rateTimer.take()?.cancel()
            }
        }
    }

    /// The order among waiters of equal priority. A change applies to those already waiting, too.
    package var order: LoadOrder {
        get { state.withLock(\.line.order) }
        set { update { $0.line.order = newValue } }
    }

    /// Whether admission is suspended. Jobs that are already running continue.
    package var isSuspended: Bool {
        get { state.withLock(\.isSuspended) }
        set { update { $0.isSuspended = newValue } }
    }

    /// The number of running jobs.
    package var runningCount: Int { state.withLock(\.runningCount) }

    /// The number of waiting jobs.
    package var waitingCount: Int { state.withLock(\.line.count) }

    /// Waits for the caller's turn. Cancelling the task leaves the queue at once.
    package func admit(_ priority: LoadPriority = .normal, group: String? = nil) async throws -> Admission {
        try await admit(.constant(priority), group: group)
    }

    /// Waits for the caller's turn, which may change with its `urgency`. Cancelling the task leaves the queue at once.
    ///
    /// A waiter whose priority is raised counts as the newest arrival of its new priority. One whose priority is
    /// lowered goes behind all others of its new priority, whatever the `order`.
    package func admit(_ urgency: Urgency, group: String? = nil) async throws -> Admission {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        let watch = urgency.watch { [weak self] in self?.updatePriority(of: id) }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                enqueue(Waiter(continuation: continuation, group: group, urgency: urgency, watch: watch), id: id)
            }
        } onCancel: {
            leave(id)
        }
    }

    /// Cancels the running jobs, and removes the waiters, which fail with an error of kind `cancelled`. Later jobs are
    /// not affected.
    package func cancelAll() {
        let (waiters, running) = state.withLock { state in
            (state.line.leaveAll(), state.running.values.map(\.self))
        }
        for waiter in waiters { waiter.continuation.resume(throwing: ImageError.cancelled) }
        for cancellation in running { cancellation.cancel() }
        StateChanges.notify()
    }

    fileprivate func release(_ id: Int, of group: String?) {
        update { state in
            state.running[id] = nil
            state.line.end(group)
        }
    }

    private func enqueue(_ waiter: Waiter, id: Int) {
        // The cancellation handler may have run before the waiter was added; the task is cancelled by then.
        var refusal: (waiter: Waiter, error: ImageError)?
        update { state in
            if Task.isCancelled {
                refusal = (waiter, ImageError.cancelled)
            } else if let refused = state.join(waiter, id: id) {
                refusal = (refused, ImageError.busy(waitingCount: state.line.count))
            }
        }
        if let (refused, error) = refusal { refused.continuation.resume(throwing: error) }
    }

    private func updatePriority(of id: Int) {
        update { state in
            guard let waiter = state.line[id] else { return }
            state.line.move(id, to: waiter.urgency.priority)
        }
    }

    private func leave(_ id: Int) {
        let waiter = state.withLock { $0.line.leave(id) }
        waiter?.continuation.resume(throwing: ImageError.cancelled)
        StateChanges.notify()
    }

    private func update(_ change: (inout State) -> Void) {
        let admitted = state.withLock { state in
            change(&state)
            guard state.bucket != nil else { return state.admit(at: .zero) }
            let admitted = state.admit(at: stopwatch.elapsed())
            if state.canAdmit, state.rateTimer == nil, let due = state.bucket?.due {
                state.rateTimer = makeRateTimer(until: due)
            }
            return admitted
        }
        for (id, waiter) in admitted { waiter.continuation.resume(returning: Admission(of: waiter, id: id, to: self)) }
        StateChanges.notify()
    }

    private func makeRateTimer(until due: Duration) -> Task<Void, Never> {
        Task { [weak self, stopwatch] in
            guard (try? await stopwatch.wait(due)) != nil else { return }
            self?.update { $0.rateTimer = nil }
        }
    }
}

/// The permission to run one job, valid until it is released or deallocated.
package final class Admission: Sendable {
    /// Cancelled by the queue, together with all other jobs.
    package let cancellation: JobCancellation

    private let queue: Mutex<AdmissionQueue?>
    private let id: Int
    private let group: String?

    fileprivate init(of waiter: AdmissionQueue.Waiter, id: Int, to queue: AdmissionQueue) {
        self.queue = Mutex(queue)
        self.id = id
        cancellation = waiter.cancellation
        group = waiter.group
    }

    deinit { release() }

    /// Admits the next waiter. Calling it again has no effect.
    package func release() { queue.withLock { $0.take() }?.release(id, of: group) }
}

extension ImageError {
    fileprivate static func busy(waitingCount: Int) -> ImageError {
        ImageError(.busy, .request, "\(waitingCount) requests are waiting already; try again later")
    }
}
