/// Moments at which an animation is moved on. One task owns it.
protocol Ticks {
    /// Waits for the next one; answers the seconds since the last, 0 for the first. Throws when the task is cancelled.
    mutating func next() async throws -> Double

    /// Makes the next one the first again, and due at once.
    mutating func restart()
}

/// The ticks of a clock, an interval apart. A late one makes the next late, too: none comes to make up for it.
struct ClockTicks<C: Clock>: Ticks where C.Duration == Duration {
    private let clock: C
    private let interval: Duration
    private var last: C.Instant?

    init(_ clock: C, every interval: Duration) {
        self.clock = clock
        self.interval = max(interval, .milliseconds(1))
    }

    mutating func next() async throws -> Double {
        try Task.checkCancellation()
        guard let last else {
            last = clock.now
            return 0
        }
        try await clock.sleep(until: last.advanced(by: interval), tolerance: nil)
        let now = clock.now
        self.last = now
        return last.duration(to: now) / .seconds(1)
    }

    mutating func restart() { last = nil }
}
