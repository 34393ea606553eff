import Synchronization

/// Stops calls to an engine of which many fail, so that requests do not spend their time on it.
///
/// When at least half of the calls of a window have failed, and at least `minimumCallCount` were made, no calls are made
/// for a pause. Then one call is tried: if it succeeds, calls go on, and otherwise the next pause begins.
public final class Breaker: Sendable {
    /// The state of a breaker.
    public enum Position: String, Hashable, Sendable {
        /// Calls are made.
        case closed
        /// No calls are made.
        case open
        /// One call is being tried.
        case trying
    }

    /// The rule by which a breaker opens and closes.
    public struct Rule: Hashable, Sendable {
        /// The time over which failures are counted.
        public var window = Duration.seconds(2)

        /// The number of calls in a window below which the breaker stays closed.
        public var minimumCallCount = 10

        /// The fraction of failed calls from which the breaker opens.
        public var failureRate = 0.5

        /// The time for which no calls are made.
        public var pause = Duration.seconds(1)

        /// Creates the default rule.
        public init() {}
    }

    private struct State {
        var position = Position.closed
        /// The end of the current window or pause.
        var end = Duration.zero
        var callCount = 0
        var failureCount = 0
    }

    private let rule: Rule
    private let elapsed: @Sendable () -> Duration
    private let state: Mutex<State>

    /// Creates a closed breaker, whose times are measured with `clock`.
    public init(_ rule: Rule = .init(), clock: some Clock<Duration> = ContinuousClock()) {
        let start = clock.now
        self.rule = rule
        elapsed = { start.duration(to: clock.now) }
        state = Mutex(State(end: rule.window))
    }

    /// The current state.
    public var position: Position { state.withLock(\.position) }

    /// Returns the result of `call`; `nil` if the breaker is open. An error of `call` is counted and thrown, unless the
    /// task was cancelled.
    public func run<Value>(_ call: () async throws -> Value) async throws -> Value? {
        guard admits() else { return nil }
        do {
            let value = try await call()
            record(isFailure: false)
            return value
        } catch {
            record(isFailure: Task.isCancelled || error is CancellationError ? nil : true)
            throw error
        }
    }

    /// Returns whether a call may be made. Its outcome must be recorded.
    func admits() -> Bool {
        let now = elapsed()
        return state.withLock { state in
            switch state.position {
            case .closed: return true
            case .trying: return false
            case .open:
                guard now >= state.end else { return false }
                state.position = .trying
                return true
            }
        }
    }

    /// Records the outcome of a call; `nil` if it was given up, which says nothing about the engine.
    func record(isFailure: Bool?) {
        let now = elapsed()
        state.withLock { state in
            if state.position == .trying {
                switch isFailure {
                case true?: state = State(position: .open, end: now + rule.pause)
                case false?: state = State(end: now + rule.window)
                case nil: state = State(position: .open, end: now)
                }
                return
            }
            guard state.position == .closed, let isFailure else { return }
            if now >= state.end { state = State(end: now + rule.window) }
            state.callCount += 1
            state.failureCount += isFailure ? 1 : 0
            guard isFailure, state.callCount >= rule.minimumCallCount,
                Double(state.failureCount) >= rule.failureRate * Double(state.callCount)
            else { return }
            state = State(position: .open, end: now + rule.pause)
        }
    }
}
