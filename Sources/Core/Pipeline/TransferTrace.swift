import Synchronization

/// Turns the milestones of a loader into events and into stages of the report.
final class TransferTrace: Sendable {
    private struct State {
        var last = ContinuousClock.now
        var hasStarted = false
        var hasResponse = false
    }

    private let trace: LoadTrace
    private let emit: @Sendable (LoadEvent) -> Void
    private let state = Mutex(State())

    /// Creates a trace of a transfer that is requested now.
    init(_ trace: LoadTrace, emit: @escaping @Sendable (LoadEvent) -> Void) {
        self.trace = trace
        self.emit = emit
        emit(.queued)
    }

    /// Records a milestone that the loader reports.
    func record(_ milestone: TransferMilestone) {
        switch milestone {
        case .started:
            guard begin() else { return }
            complete(.queue)
            emit(.started)
        case .connected: complete(.connect)
        case .responded:
            state.withLock { $0.hasResponse = true }
            complete(.firstByte)
        case .retries:
            trace.update { $0.retryCount += 1 }
        }
    }

    /// Records the response head, also of a loader that reports no milestones.
    func recordHead(of response: LoadResponse) {
        if begin() { emit(.started) }
        if state.withLock({ !$0.hasResponse }) { complete(.firstByte) }
        if case .notModified = response.body { return }
        emit(.response(LoadEvent.Response(response)))
    }

    /// Records that the body is complete.
    func recordBody(byteCount: Int) {
        complete(.body)
        trace.update { $0.receivedByteCount += byteCount }
    }

    /// Marks the transfer as started. Returns false if it was already.
    private func begin() -> Bool {
        state.withLock { state in
            defer { state.hasStarted = true }
            return !state.hasStarted
        }
    }

    private func complete(_ step: LoadReport.Step) {
        let start = state.withLock { state in
            defer { state.last = .now }
            return state.last
        }
        trace.add(step, since: start)
    }
}
