package import DarkroomCore

/// Waits for the outcome of leased work. An outcome that arrives before anyone waits is not lost.
///
/// One task waits at a time.
package final class OutcomeListener: Sendable {
    private let news = FirstValue<WorkOutcome>()

    /// Creates a listener without an outcome.
    package init() {}

    /// Whether waiting is pointless, because the outcome is known or the listener is disconnected.
    package var isOver: Bool { news.isKnown }

    /// Ends the wait with `outcome`. Later outcomes are ignored.
    package func hear(_ outcome: WorkOutcome) { news.offer(outcome) }

    /// Ends the wait without an outcome: none will arrive.
    package func disconnect() { news.offer(nil) }

    /// Returns the outcome; `nil` if none arrives within `limit`, measured with `clock`, or before the listener is
    /// disconnected or the task is cancelled.
    package func outcome(
        within limit: Duration, clock: any Clock<Duration> = ContinuousClock()
    ) async -> WorkOutcome? {
        await news.value(by: limit, on: Stopwatch(clock))
    }
}
