import Synchronization

/// Tells an engine that is slow from one that does not answer at all, and permits one call at a time to the latter.
final class SilenceWatch: Sendable {
    /// A call that was permitted.
    struct Call {
        fileprivate let start: Duration
        /// Whether it finds out if the engine answers again.
        fileprivate let isTrial: Bool
    }

    /// The end of a call.
    enum Outcome {
        case answered, unanswered
        /// It was given up, or not made, which says nothing about the engine.
        case cancelled
    }

    private struct State {
        var lastAnswer: Duration?
        var isSilent = false
        var isTried = false
    }

    /// The duration from which on an unanswered call shows that the engine is silent. Errors may arrive earlier.
    private let patience: Duration
    private let elapsed: @Sendable () -> Duration
    private let state = Mutex(State())

    /// Creates a watch whose times are measured with `clock`.
    init(patience: Duration, clock: some Clock<Duration> = ContinuousClock()) {
        let start = clock.now
        self.patience = patience
        elapsed = { start.duration(to: clock.now) }
    }

    /// Returns a call that may be made now, whose end must be noted; `nil` if the engine is silent, and another call is
    /// already waiting for its answer.
    func begin() -> Call? {
        let now = elapsed()
        return state.withLock { state in
            guard state.isSilent else { return Call(start: now, isTrial: false) }
            guard !state.isTried else { return nil }
            state.isTried = true
            return Call(start: now, isTrial: true)
        }
    }

    /// Notes the end of `call`. Returns whether no call has been answered since its start.
    @discardableResult
    func end(_ call: Call, _ outcome: Outcome) -> Bool {
        let now = elapsed()
        return state.withLock { state in
            if call.isTrial { state.isTried = false }
            let isUnanswered = state.lastAnswer.map { $0 < call.start } ?? true
            switch outcome {
            case .answered: (state.lastAnswer, state.isSilent) = (now, false)
            case .unanswered where isUnanswered && now - call.start >= patience: state.isSilent = true
            case .unanswered, .cancelled: break
            }
            return outcome == .unanswered && isUnanswered
        }
    }
}
