import DarkroomCore
import Synchronization

/// Limits concurrent stores and removals, and detects when they stall.
///
/// Writes that hang while reads are answered are the most common failure of an object store, which may have lost a
/// volume.
final class WriteQueue: Sendable {
    private struct State {
        var runningCount = 0
        /// The time since when no write has completed, although some are in flight.
        var quietStart = Duration.zero
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
        return state.withLock { $0.runningCount >= suspiciousCount && now - $0.quietStart >= patience }
    }

    /// Runs `body` when its turn comes, after writes of higher `priority`.
    func write(_ priority: LoadPriority = .normal, _ body: () async throws -> Void) async throws {
        let admission = try await queue.admit(priority)
        defer { admission.release() }
        start()
        defer { end() }
        try await body()
    }

    private func start() {
        let now = stopwatch.elapsed()
        state.withLock { state in
            if state.runningCount == 0 { state.quietStart = now }
            state.runningCount += 1
        }
    }

    private func end() {
        let now = stopwatch.elapsed()
        state.withLock { state in
            state.runningCount -= 1
            state.quietStart = now
        }
    }
}
