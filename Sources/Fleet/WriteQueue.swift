import DarkroomCore
import Synchronization

/// Limits concurrent stores or removals, and detects when they stall.
///
/// Writes that hang while reads are answered are the most common failure of an object store, which may have lost a
/// volume.
final class WriteQueue: Sendable {
    private struct State {
        var runningCount = 0
        /// The time since when no write has completed, although some are in flight.
        var quietStart = Duration.zero
        var failedStallCount = 0
    }

    /// The number of writes in flight from which they can count as stalled. One or two may merely be slow.
    private let suspiciousCount: Int
    private let patience: Duration
    let queue: AdmissionQueue
    private let stopwatch: Stopwatch
    private let state = Mutex(State())

    /// Creates a queue of `limit` concurrent writes. They count as stalled if `limit`, or at least four, are in flight
    /// and none completes within `patience`.
    init(limit: Int, patience: Duration, clock: some Clock<Duration> = ContinuousClock()) {
        (suspiciousCount, self.patience) = (max(1, min(limit, 4)), patience)
        queue = AdmissionQueue(limit: limit)
        stopwatch = Stopwatch(clock)
    }

    /// Whether the writes in flight have stalled.
    var isStalled: Bool {
        let now = stopwatch.elapsed()
        return state.withLock { hasStalled($0, at: now) }
    }

    /// The number of stalls so far that ended because a write failed, not because one completed.
    var failedStallCount: Int { state.withLock(\.failedStallCount) }

    /// Runs `body` when its turn comes, after writes of higher `priority`.
    func write(_ priority: LoadPriority = .normal, _ body: () async throws -> Void) async throws {
        let admission = try await queue.admit(priority)
        defer { admission.release() }
        start()
        var isSuccess = false
        defer { end(isSuccess) }
        try await body()
        isSuccess = true
    }

    private func hasStalled(_ state: State, at now: Duration) -> Bool {
        state.runningCount >= suspiciousCount && now - state.quietStart >= patience
    }

    private func start() {
        let now = stopwatch.elapsed()
        state.withLock { state in
            if state.runningCount == 0 { state.quietStart = now }
            state.runningCount += 1
        }
    }

    private func end(_ isSuccess: Bool) {
        let now = stopwatch.elapsed()
        state.withLock { state in
            if !isSuccess, hasStalled(state, at: now) { state.failedStallCount += 1 }
            state.runningCount -= 1
            state.quietStart = max(state.quietStart, now)
        }
    }
}
