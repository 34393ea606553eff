import Synchronization

/// Tells an engine that is slow from one that does not answer at all.
final class SilenceWatch: Sendable {
    private let lastAnswer = Mutex<ContinuousClock.Instant?>(nil)

    /// Notes an answer.
    func end() { lastAnswer.withLock { $0 = .now } }

    /// Returns whether there was no answer since `instant`.
    func hasLasted(since instant: ContinuousClock.Instant) -> Bool {
        lastAnswer.withLock { last in last.map { $0 < instant } ?? true }
    }
}
