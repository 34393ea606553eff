import DarkroomCore
import Synchronization

/// Distinguishes a slow engine from an unresponsive one, to which it lets one probe through at a time.
final class SilenceWatch: Sendable {
    /// A call that was allowed.
    struct Call {
        fileprivate let start: Duration
        /// Whether the call probes a silent engine.
        fileprivate let isTrial: Bool
    }

    /// The outcome of a call.
    enum Outcome {
        case answered, unanswered
        /// The call was cancelled or not made, which says nothing about the engine.
        case cancelled
    }

    private struct State {
        var lastAnswer: Duration?
        var isSilent = false
        var isTried = false
    }

    /// The time after which an unanswered call means that the engine is silent. Errors may arrive earlier.
    private let patience: Duration
    private let stopwatch: Stopwatch
    private let state = Mutex(State())

    /// Creates a watch that measures time with `clock`.
    init(patience: Duration, clock: some Clock<Duration> = ContinuousClock()) {
        self.patience = patience
        stopwatch = Stopwatch(clock)
    }

    /// Begins a call, whose outcome must be recorded. Returns `nil` if the engine is silent and a probe is already in
    /// flight.
    func begin() -> Call? {
        let now = stopwatch.elapsed()
        return state.withLock { state in
            guard state.isSilent else { return Call(start: now, isTrial: false) }
            guard !state.isTried else { return nil }
            state.isTried = true
            return Call(start: now, isTrial: true)
        }
    }

    /// Records the outcome of `call`. Returns whether it went unanswered, and no other call was answered since its
    /// start.
    @discardableResult
    func end(_ call: Call, _ outcome: Outcome) -> Bool {
        let now = stopwatch.elapsed()
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
