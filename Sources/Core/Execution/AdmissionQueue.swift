import Synchronization

/// Lets a bounded number of jobs run at once; the others wait, the more urgent before the less urgent.
package final class AdmissionQueue: Sendable {
    private struct Waiter {
        let id: Int
        let continuation: CheckedContinuation<Admission, any Error>
    }

    private struct State {
        var limit: Int
        var order: LoadOrder
        var isSuspended = false
        var taken = 0
        var lastID = 0
        /// Those who wait, in the order they came, a list a priority.
        var waiters: [LoadPriority: [Waiter]] = [:]

        var waitingCount: Int { waiters.values.reduce(0) { $0 + $1.count } }

        /// The waiters whose turn it is; they count as admitted.
        mutating func admit() -> [Waiter] {
            var admitted: [Waiter] = []
            while !isSuspended, taken < limit, let waiter = next() {
                taken += 1
                admitted.append(waiter)
            }
            return admitted
        }

        private mutating func next() -> Waiter? {
            for priority in LoadPriority.allCases.reversed() where waiters[priority]?.isEmpty == false {
                return order == .firstInFirstOut ? waiters[priority]?.removeFirst() : waiters[priority]?.removeLast()
            }
            return nil
        }

        mutating func remove(_ id: Int) -> Waiter? {
            for priority in waiters.keys {
                guard let index = waiters[priority]?.firstIndex(where: { $0.id == id }) else { continue }
                return waiters[priority]?.remove(at: index)
            }
            return nil
        }
    }

    private let state: Mutex<State>

    /// A queue that admits at most `limit` at once, at least 1.
    package init(limit: Int, order: LoadOrder = .firstInFirstOut) {
        state = Mutex(State(limit: max(1, limit), order: order))
    }

    /// How many run at once; changes count at once.
    package var limit: Int {
        get { state.withLock(\.limit) }
        set { update { $0.limit = max(1, newValue) } }
    }

    /// Which of those with one priority comes first; changes count for those who wait, too.
    package var order: LoadOrder {
        get { state.withLock(\.order) }
        set { update { $0.order = newValue } }
    }

    /// Whether nobody is admitted; those who run go on.
    package var isSuspended: Bool {
        get { state.withLock(\.isSuspended) }
        set { update { $0.isSuspended = newValue } }
    }

    /// How many run.
    package var runningCount: Int { state.withLock(\.taken) }

    /// How many wait.
    package var waitingCount: Int { state.withLock(\.waitingCount) }

    /// Returns when it is the caller's turn. Cancelling the task leaves the queue at once.
    package func admit(_ priority: LoadPriority = .normal) async throws -> Admission {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                enqueue(Waiter(id: id, continuation: continuation), priority)
            }
        } onCancel: {
            leave(id)
        }
    }

    fileprivate func release() { update { $0.taken -= 1 } }

    private func enqueue(_ waiter: Waiter, _ priority: LoadPriority) {
        // The handler may have run before there was anybody to remove; then the task is cancelled already.
        var isCancelled = false
        update { state in
            isCancelled = Task.isCancelled
            if !isCancelled { state.waiters[priority, default: []].append(waiter) }
        }
        if isCancelled { waiter.continuation.resume(throwing: ImageError.cancelled) }
    }

    private func leave(_ id: Int) {
        let waiter = state.withLock { $0.remove(id) }
        waiter?.continuation.resume(throwing: ImageError.cancelled)
    }

    private func update(_ change: (inout State) -> Void) {
        let admitted = state.withLock { state in
            change(&state)
            return state.admit()
        }
        for waiter in admitted { waiter.continuation.resume(returning: Admission(to: self)) }
    }
}

/// The right to run one job, until it is released or forgotten.
package final class Admission: Sendable {
    private let queue: Mutex<AdmissionQueue?>

    fileprivate init(to queue: AdmissionQueue) { self.queue = Mutex(queue) }

    deinit { release() }

    /// Lets the next one in; a second time does nothing.
    package func release() { queue.withLock { $0.take() }?.release() }
}
