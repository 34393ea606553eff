/// The time of a clock of any type, measured from the creation of the stopwatch.
package struct Stopwatch: Sendable {
    /// Returns the time elapsed since the start.
    package let elapsed: @Sendable () -> Duration

    /// Waits until the given time after the start. Throws when the task is cancelled.
    package let wait: @Sendable (Duration) async throws -> Void

    /// Creates a stopwatch that starts now, by `clock`.
    package init<C: Clock>(_ clock: C) where C.Duration == Duration {
        let start = clock.now
        elapsed = { start.duration(to: clock.now) }
        wait = { try await clock.sleep(until: start.advanced(by: $0), tolerance: nil) }
    }
}
