import DarkroomCore
import Synchronization

/// Limits the number of stores and removals at once, and refuses more of them while all hang.
///
/// Writes that hang while reads are answered are the most frequent failure of an object store: it may have lost a volume.
final class WriteQueue: Sendable {
    private struct State {
        var runningCount = 0
        /// The time of the last start or end of a write.
        var lastChange = Duration.zero
    }

    private let limit: Int
    private let patience: Duration
    private let queue: AdmissionQueue
    private let elapsed: @Sendable () -> Duration
    private let state = Mutex(State())

    /// Creates a queue of `limit` writes at once, which count as hanging if none of them ends within `patience`.
    init(limit: Int, patience: Duration, clock: some Clock<Duration> = ContinuousClock()) {
        let start = clock.now
        (self.limit, self.patience) = (max(1, limit), patience)
        queue = AdmissionQueue(limit: limit)
        elapsed = { start.duration(to: clock.now) }
    }

    /// Whether all writes hang.
    var isStalled: Bool {
        let now = elapsed()
        return state.withLock { $0.runningCount >= limit && now - $0.lastChange >= patience }
    }

    /// Runs `body` when its turn has come.
    ///
    /// - Throws: An error of kind `busy` if all writes hang, and the errors of `body`.
    func write(_ body: () async throws -> Void) async throws {
        guard !isStalled else {
            throw ImageError(
                .busy, .cache, "the object store is not written to, because \(limit) writes hang (maxConcurrentWrites)")
        }
        let admission = try await queue.admit(.low)
        defer { admission.release() }
        note(1)
        defer { note(-1) }
        try await body()
    }

    private func note(_ change: Int) {
        let now = elapsed()
        state.withLock { state in
            state.runningCount += change
            state.lastChange = now
        }
    }
}
