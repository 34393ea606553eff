import Synchronization

/// Collects the report of one run, from any thread.
final class LoadTrace: Sendable {
    private let report = Mutex(LoadReport(decision: .missing))

    /// The report so far.
    var value: LoadReport { report.withLock { $0 } }

    /// Runs `body`, and notes how long that took, also when it fails.
    func measure<Result>(_ step: LoadReport.Step, _ body: () async throws -> Result) async rethrows -> Result {
        let start = ContinuousClock.now
        defer { add(step, since: start) }
        return try await body()
    }

    /// Notes that `step` went on from `start` until now.
    func add(_ step: LoadReport.Step, since start: ContinuousClock.Instant) {
        let stage = LoadReport.Stage(step: step, start: start, duration: .now - start)
        report.withLock { $0.stages.append(stage) }
    }

    /// Notes something else.
    func note(_ change: (inout LoadReport) -> Void) { report.withLock { change(&$0) } }

    /// Takes over what a run that this one waited for has noted.
    func add(_ other: LoadReport) {
        report.withLock { report in
            report.stages += other.stages
            report.receivedByteCount += other.receivedByteCount
            report.retryCount += other.retryCount
            report.limits += other.limits
            report.decision = other.decision
        }
    }
}
