import DarkroomCore
import Synchronization

/// Reports the failures of a cache, limited to one per minute for each cause.
final class FailureReports: Sendable {
    private static let interval = Duration.seconds(60)

    private let report: (@Sendable (ImageError) -> Void)?
    private let clock: @Sendable () -> ContinuousClock.Instant

    /// The time of the last report of each cause, of which there are no more than system error codes.
    private let lastReports = Mutex<[Int32: ContinuousClock.Instant]>([:])

    /// Creates an object that calls `report` with the first failure of each cause per minute, measured by `clock`.
    init(
        _ report: (@Sendable (ImageError) -> Void)?,
        clock: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) {
        self.clock = clock
        self.report = report
    }

    /// Reports `error`, unless another with the same cause was reported recently.
    func note(_ error: ImageError) {
        guard let report else { return }
        let reason = (error.underlying as? SystemError)?.code ?? -1
        let now = clock()
        let isNew = lastReports.withLock { reports in
            if let last = reports[reason], now < last + Self.interval { return false }
            reports[reason] = now
            return true
        }
        if isNew { report(error) }
    }
}
