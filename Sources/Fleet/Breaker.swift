import DarkroomCore
import Synchronization

/// A circuit breaker, which stops calling an engine while most calls to it fail, so that requests do not wait for it.
///
/// It opens when at least `minimumCallCount` calls were made in a window and at least `failureRate` of them have
/// failed. After a pause, one trial call decides: its success closes the breaker, its failure starts the next pause.
public final class Breaker: Sendable {
    /// The state of a breaker.
    public enum Position: String, Hashable, Sendable {
        /// All calls are allowed.
        case closed
        /// No call is allowed.
        case open
        /// The trial call is in flight.
        case trying
    }

    /// The thresholds at which a breaker opens, and the pause before it tries again.
    public struct Rule: Hashable, Sendable {
        /// The window in which failures are counted.
        public var window = Duration.seconds(2)

        /// The minimum number of calls in a window at which the breaker can open.
        public var minimumCallCount = 10

        /// The failure rate at which the breaker opens.
        public var failureRate = 0.5

        /// The time for which the breaker stays open before the trial call.
        public var pause = Duration.seconds(1)

        /// Creates the default rule.
        public init() {}
    }

    private struct State {
        var position = Position.closed
        /// The end of the current window or pause.
        var end = Duration.zero
        /// The number of calls in the window, or of trial calls in a row that proved nothing.
        var callCount = 0
        var failureCount = 0
    }

    private let rule: Rule
    private let stopwatch: Stopwatch
    private let state: Mutex<State>

    /// Creates a closed breaker that measures time with `clock`.
    public init(_ rule: Rule = .init(), clock: some Clock<Duration> = ContinuousClock()) {
        self.rule = rule
        stopwatch = Stopwatch(clock)
        state = Mutex(State(end: rule.window))
    }

    /// The current state.
    public var position: Position { state.withLock(\.position) }

    /// Runs `call` and returns its result; `nil` if the breaker is open. Errors count as failures, unless the task was
    /// cancelled, and are rethrown.
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

    /// Returns whether the next call is allowed. The caller must record its outcome.
    func admits() -> Bool {
        let now = stopwatch.elapsed()
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

    /// Records a call that has succeeded without proving that the engine works. As many trial calls in a row as can open
    /// the breaker close it.
    func recordWithoutProof() {
        let now = stopwatch.elapsed()
        state.withLock { state in
            guard state.position == .trying else { return }
            let count = state.callCount + 1
            let isOver = count >= rule.minimumCallCount
            state = isOver ? State(end: now + rule.window) : State(position: .open, end: now, callCount: count)
        }
    }

    /// Records the outcome of a call; `nil` for a cancelled one, which says nothing about the engine.
    func record(isFailure: Bool?) {
        let now = stopwatch.elapsed()
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
