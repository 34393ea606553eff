import Synchronization

/// The time that one request may spend on calls to the shared cache and the engine of leases, in total.
///
/// A request that has spent it continues without them. Waiting for another node to do the work does not count.
public final class TierBudget: Sendable {
    /// The budget of the request that the current task works for; `nil` outside of requests.
    @TaskLocal public static var current: TierBudget?

    private struct State {
        var left: Duration
        var permitsLeases = true
    }

    private let total: Duration
    private let state: Mutex<State>
    private let clock: any Clock<Duration>

    /// Creates a budget of `total`, measured with `clock`.
    public init(_ total: Duration, clock: any Clock<Duration> = ContinuousClock()) {
        self.total = total
        state = Mutex(State(left: total))
        self.clock = clock
    }

    /// The time left; zero if all is spent.
    public var remaining: Duration { state.withLock { max(.zero, $0.left) } }

    /// Counts `time` as spent.
    public func spend(_ time: Duration) { state.withLock { $0.left -= time } }

    /// Spends all that is left, so that the request continues without the tier. For a cache whose engine is silent.
    public func giveUp() { state.withLock { $0.left = .zero } }

    /// Makes the whole time available again: the tier has proved to work.
    func restart() { state.withLock { $0.left = total } }

    /// Whether the request may ask for leases.
    var permitsLeases: Bool { state.withLock { $0.permitsLeases && $0.left > .zero } }

    /// Makes the request continue without leases.
    func endLeases() { state.withLock { $0.permitsLeases = false } }

    /// Returns the result of `call`; `nil` if it throws, or does not end in the time that is left. Such a call is
    /// cancelled and not awaited.
    public func result<Value: Sendable>(of call: @escaping @Sendable () async throws -> Value) async -> Value? {
        let limit = remaining
        guard limit > .zero, !Task.isCancelled else { return nil }
        let stopwatch = Stopwatch(clock)
        let first = FirstValue<Value>()
        let work = Task { first.offer(try? await call()) }
        let value = await first.value(by: limit, on: stopwatch)
        work.cancel()
        spend(stopwatch.elapsed())
        return value
    }
}
