import Synchronization

/// Reports the failures of a cache or an engine, limited to one per minute for each cause.
package final class FailureReports: Sendable {
    private static let interval = Duration.seconds(60)

    private let handler: (@Sendable (ImageError) -> Void)?
    private let clock: @Sendable () -> ContinuousClock.Instant

    /// The time of the last report of each cause, of which there are few.
    private let lastReports = Mutex<[String: ContinuousClock.Instant]>([:])

    /// Creates an object that calls `handler` with the first failure of each cause per minute, measured by `clock`.
    package init(
        _ handler: (@Sendable (ImageError) -> Void)?,
        clock: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) {
        self.clock = clock
        self.handler = handler
    }

    /// Reports `error`, unless another with the same cause, such as its kind, was reported recently.
    package func report(_ error: ImageError, cause: String) {
        guard let handler else { return }
        let now = clock()
        let isNew = lastReports.withLock { reports in
            if let last = reports[cause], now < last + Self.interval { return false }
            reports[cause] = now
            return true
        }
        if isNew { handler(error) }
    }
}
