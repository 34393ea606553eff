import DarkroomCore
import Synchronization

/// Tells whoever wants to know what a cache could not do, but not each of many failures with one reason.
final class FailureReports: Sendable {
    private static let interval = Duration.seconds(60)

    private let report: (@Sendable (ImageError) -> Void)?
    private let clock: @Sendable () -> ContinuousClock.Instant

    /// When each reason was last told; there are no more reasons than numbers of system errors.
    private let lastReports = Mutex<[Int32: ContinuousClock.Instant]>([:])

    /// Calls `report` with the first failure of each reason in a minute by `clock`.
    init(
        _ report: (@Sendable (ImageError) -> Void)?,
        clock: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) {
        self.clock = clock
        self.report = report
    }

    /// Tells about `error`, unless another with its reason was told a moment ago.
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
