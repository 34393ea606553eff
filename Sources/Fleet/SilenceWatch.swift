import Synchronization

/// Tells an engine that is slow from one that does not answer at all, by the calls in flight.
final class SilenceWatch: Sendable {
    private struct State {
        var callCount = 0
        /// The time since which there are calls in flight, and none was answered.
        var quietStart = Duration.zero
        var lastAnswer: Duration?
    }

    private let patience: Duration
    private let suspiciousCount: Int
    private let elapsed: @Sendable () -> Duration
    private let state = Mutex(State())

    /// Creates a watch of calls to an engine, whose times are measured with `clock`. The engine counts as silent if there
    /// are at least `suspiciousCount` calls, and none is answered within `patience`.
    init(patience: Duration, suspiciousCount: Int = 1, clock: some Clock<Duration> = ContinuousClock()) {
        let start = clock.now
        (self.patience, self.suspiciousCount) = (patience, suspiciousCount)
        elapsed = { start.duration(to: clock.now) }
    }

    /// Whether the engine is silent. It no longer is once the calls in flight have ended, so that another one is tried.
    var isSilent: Bool {
        let now = elapsed()
        return state.withLock { $0.callCount >= suspiciousCount && now - $0.quietStart >= patience }
    }

    /// Notes that a call begins, and returns the time.
    func begin() -> Duration {
        let now = elapsed()
        state.withLock { state in
            if state.callCount == 0 { state.quietStart = now }
            state.callCount += 1
        }
        return now
    }

    /// Notes that a call has ended, because it was answered or for another reason.
    func end(isAnswered: Bool) {
        let now = elapsed()
        state.withLock { state in
            state.callCount -= 1
            if isAnswered { (state.quietStart, state.lastAnswer) = (now, now) }
        }
    }

    /// Returns whether there was no answer since `time`.
    func hasLasted(since time: Duration) -> Bool {
        state.withLock { state in state.lastAnswer.map { $0 < time } ?? true }
    }
}
