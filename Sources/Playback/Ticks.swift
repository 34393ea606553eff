/// The ticks that drive an animation. They must be used by one task only.
protocol Ticks {
    /// Waits for the next tick and returns the time since the last one, zero for the first. Throws when the task is
    /// cancelled.
    mutating func next() async throws -> Duration

    /// Restarts the ticks: the next one is due at once and counts as the first.
    mutating func restart()
}

/// Ticks of a clock at a regular interval. A late tick delays those after it; there are no catch-up ticks.
struct ClockTicks<C: Clock>: Ticks where C.Duration == Duration {
    private let clock: C
    private let interval: Duration
    private var last: C.Instant?

    init(_ clock: C, every interval: Duration) {
        self.clock = clock
        self.interval = max(interval, .milliseconds(1))
    }

    mutating func next() async throws -> Duration {
        try Task.checkCancellation()
        guard let last else {
            last = clock.now
            return .zero
        }
        try await clock.sleep(until: last.advanced(by: interval), tolerance: nil)
        let now = clock.now
        self.last = now
        return last.duration(to: now)
    }

    mutating func restart() { last = nil }
}
