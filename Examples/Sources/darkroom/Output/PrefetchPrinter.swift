import Console
import Darkroom

/// Prints the outcome of each entry of a list.
struct PrefetchPrinter {
    private let report: ReportOptions
    private let progress: ProgressBar?
    private var finished = 0
    private var failed = 0
    private var cached = 0
    private var failuresByKind: [ImageError.Kind: ImageError] = [:]

    init(report: ReportOptions, progress: ProgressBar?) {
        self.report = report
        self.progress = progress
    }

    /// One failure of each kind, because a list may be long.
    var failures: [ImageError] { Array(failuresByKind.values) }

    /// Prints the outcome of one entry.
    mutating func print(_ outcome: PrefetchOutcome) {
        finished += 1
        if outcome.wasCached { cached += 1 }
        if let error = outcome.error {
            failed += 1
            failuresByKind[error.kind] = error
        }
        if report.json { return json(outcome).print() }
        guard let error = outcome.error else { return progress?.finish() ?? () }
        guard let progress else { return error.print(about: outcome.source) }
        progress.finish { error.print(about: outcome.source) }
    }

    /// Prints that the list could not be read to its end.
    mutating func note(_ failure: ImageError) {
        failuresByKind[failure.kind] = failure
        progress?.hide()
        failure.print()
    }

    /// Prints the totals; with JSON, the last line contains them.
    func printCounts() {
        progress?.hide()
        guard !report.json, !report.quiet else { return }
        FileDescriptor.standardOutput.print("\(finished) finished, \(failed) failed, \(cached) already cached")
    }

    private func json(_ outcome: PrefetchOutcome) -> JSONLine {
        JSONLine([
            "source": outcome.source.text,
            "outcome": outcome.error != nil ? "failed" : outcome.wasCached ? "cached" : "loaded",
            "error": outcome.error,
            "finished": finished,
            "failed": failed,
            "cached": cached,
        ])
    }
}
