import Synchronization

/// Collects the report of one run. All members may be called from any thread.
final class LoadTrace: Sendable {
    private struct State {
        /// Everything but the stages.
        var report = LoadReport(decision: .missing)
        var stages: [LoadReport.Stage] = []

        /// Reserves space for the stages of most loads at once.
        init() { stages.reserveCapacity(8) }
    }

    private let state = Mutex(State())

    /// The report so far.
    var value: LoadReport {
        state.withLock { state in
            var report = state.report
            report.stages = state.stages
            return report
        }
    }

    /// Runs `body` and records its duration, whether it succeeds or fails.
    func measure<Result>(_ step: LoadReport.Step, of body: () async throws -> Result) async rethrows -> Result {
        let start = ContinuousClock.now
        defer { add(step, since: start) }
        return try await body()
    }

    /// Records that `step` took place from `start` until now.
    func add(_ step: LoadReport.Step, since start: ContinuousClock.Instant) {
        let stage = LoadReport.Stage(step: step, start: start, duration: .now - start)
        state.withLock { $0.stages.append(stage) }
    }

    /// Adds `detail` to the last stage of `step`.
    func describe(_ step: LoadReport.Step, as detail: String) {
        state.withLock { state in
            guard let index = state.stages.lastIndex(where: { $0.step == step }) else { return }
            state.stages[index].detail = detail
        }
    }

    /// Adds stages of a run that this one has waited for.
    func add(_ stages: [LoadReport.Stage]) { state.withLock { $0.stages += stages } }

    /// Changes other values of the report than its stages.
    func update(_ change: (inout LoadReport) -> Void) { state.withLock { change(&$0.report) } }

    /// Adds the report of a run that this one has waited for.
    func add(_ other: LoadReport) {
        state.withLock { state in
            state.stages += other.stages
            state.report.add(other)
        }
    }
}
