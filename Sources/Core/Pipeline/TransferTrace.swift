import Synchronization

/// Turns what a loader tells into events, and into the stages of the report.
final class TransferTrace: Sendable {
    private struct State {
        var last = ContinuousClock.now
        var hasStarted = false
        var hasResponse = false
    }

    private let trace: LoadTrace
    private let emit: @Sendable (LoadEvent) -> Void
    private let state = Mutex(State())

    /// A trace of a transfer that is asked for now.
    init(_ trace: LoadTrace, emit: @escaping @Sendable (LoadEvent) -> Void) {
        self.trace = trace
        self.emit = emit
        emit(.queued)
    }

    /// Hears what the loader tells.
    func heard(_ milestone: TransferMilestone) {
        switch milestone {
        case .started:
            guard begin() else { return }
            pass(.queue)
            emit(.started)
        case .connected: pass(.connect)
        case .responded:
            state.withLock { $0.hasResponse = true }
            pass(.firstByte)
        case .retries:
            trace.note { $0.retryCount += 1 }
        }
    }

    /// Notes the answer, also of a loader that has told nothing.
    func answered(_ response: LoadResponse) {
        if begin() { emit(.started) }
        if state.withLock({ !$0.hasResponse }) { pass(.firstByte) }
        if case .notModified = response.body { return }
        emit(.response(LoadEvent.Response(response)))
    }

    /// Notes that the body is there.
    func received(_ byteCount: Int) {
        pass(.body)
        trace.note { $0.receivedByteCount += byteCount }
    }

    /// Whether nobody has said so before.
    private func begin() -> Bool {
        state.withLock { state in
            defer { state.hasStarted = true }
            return !state.hasStarted
        }
    }

    private func pass(_ step: LoadReport.Step) {
        let start = state.withLock { state in
            defer { state.last = .now }
            return state.last
        }
        trace.add(step, since: start)
    }
}
