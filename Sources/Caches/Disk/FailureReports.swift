import DarkroomCore
import DarkroomFiles
import Synchronization

/// Reports the failures of a cache, limited to one per minute for each cause.
final class FailureReports: Sendable {
    private static let interval = Duration.seconds(60)

    private let handler: (@Sendable (ImageError) -> Void)?
    private let clock: @Sendable () -> ContinuousClock.Instant

    /// The time of the last report of each cause, of which there are no more than system error codes.
    private let lastReports = Mutex<[Int32: ContinuousClock.Instant]>([:])

    /// Creates an object that calls `handler` with the first failure of each cause per minute, measured by `clock`.
    init(
        _ handler: (@Sendable (ImageError) -> Void)?,
        clock: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) {
        self.clock = clock
        self.handler = handler
    }

    /// Reports `error`, unless another with the same cause was reported recently.
    func report(_ error: ImageError) {
        guard let handler else { return }
        let cause = (error.underlying as? SystemError)?.code ?? -1
        let now = clock()
        let isNew = lastReports.withLock { reports in
            if let last = reports[cause], now < last + Self.interval { return false }
            reports[cause] = now
            return true
        }
        if isNew { handler(error) }
    }
}
