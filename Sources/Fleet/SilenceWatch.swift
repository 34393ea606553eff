import Synchronization

/// Tells an engine that is slow from one that does not answer at all.
final class SilenceWatch: Sendable {
    private let elapsed: @Sendable () -> Duration
    private let lastAnswer = Mutex<Duration?>(nil)

    /// Creates a watch whose times are measured with `clock`.
    init(clock: some Clock<Duration> = ContinuousClock()) {
        let start = clock.now
        elapsed = { start.duration(to: clock.now) }
    }

    /// The time since the watch was created.
    var now: Duration { elapsed() }

    /// Notes an answer.
    func end() {
        let now = now
        lastAnswer.withLock { $0 = now }
    }

    /// Returns whether there was no answer since `time`.
    func hasLasted(since time: Duration) -> Bool { lastAnswer.withLock { last in last.map { $0 < time } ?? true } }
}
