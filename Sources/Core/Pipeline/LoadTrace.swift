import Synchronization

/// Collects the report of one run. All members may be called from any thread.
final class LoadTrace: Sendable {
    private let report = Mutex(LoadReport(decision: .missing))

    /// The report so far.
    var value: LoadReport { report.withLock { $0 } }

    /// Runs `body` and records its duration, whether it succeeds or fails.
    func measure<Result>(_ step: LoadReport.Step, of body: () async throws -> Result) async rethrows -> Result {
        let start = ContinuousClock.now
        defer { add(step, since: start) }
        return try await body()
    }

    /// Records that `step` took place from `start` until now.
    func add(_ step: LoadReport.Step, since start: ContinuousClock.Instant) {
        let stage = LoadReport.Stage(step: step, start: start, duration: .now - start)
        report.withLock { $0.stages.append(stage) }
    }

    /// Adds `detail` to the last stage of `step`.
    func describe(_ step: LoadReport.Step, as detail: String) {
        report.withLock { report in
            guard let index = report.stages.lastIndex(where: { $0.step == step }) else { return }
            report.stages[index].detail = detail
        }
    }

    /// Changes other values of the report.
    func update(_ change: (inout LoadReport) -> Void) { report.withLock { change(&$0) } }

    /// Adds the report of a run that this one has waited for.
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
