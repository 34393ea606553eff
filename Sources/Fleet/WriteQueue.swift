import DarkroomCore
import Synchronization

/// Limits the number of stores and removals at once, and tells when those in flight hang.
///
/// Writes that hang while reads are answered are the most frequent failure of an object store: it may have lost a volume.
final class WriteQueue: Sendable {
    private struct State {
        var runningCount = 0
        /// The time since which no write has ended, though there are some.
        var quietStart = Duration.zero
    }

    /// The number of writes that hang if the object store does. One or two may be slow by themselves.
    private let suspiciousCount: Int
    private let patience: Duration
    private let queue: AdmissionQueue
    private let elapsed: @Sendable () -> Duration
    private let state = Mutex(State())

    /// Creates a queue of `limit` writes at once. If there are at least four or `limit` of them, and none ends within
    /// `patience`, they count as hanging.
    init(limit: Int, patience: Duration, clock: some Clock<Duration> = ContinuousClock()) {
        let start = clock.now
        (suspiciousCount, self.patience) = (max(1, min(limit, 4)), patience)
        queue = AdmissionQueue(limit: limit)
        elapsed = { start.duration(to: clock.now) }
    }

    /// Whether the writes in flight hang.
    var isStalled: Bool {
        let now = elapsed()
        return state.withLock { $0.runningCount >= suspiciousCount && now - $0.quietStart >= patience }
    }

    /// Runs `body` when its turn has come, after those of higher `priority`.
    func write(_ priority: LoadPriority = .normal, _ body: () async throws -> Void) async throws {
        let admission = try await queue.admit(priority)
        defer { admission.release() }
        start()
        defer { end() }
        try await body()
    }

    private func start() {
        let now = elapsed()
        state.withLock { state in
            if state.runningCount == 0 { state.quietStart = now }
            state.runningCount += 1
        }
    }

    private func end() {
        let now = elapsed()
        state.withLock { state in
            state.runningCount -= 1
            state.quietStart = now
        }
    }
}
