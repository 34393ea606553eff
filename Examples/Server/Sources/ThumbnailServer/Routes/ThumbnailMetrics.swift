import HTTPTypes
import Metrics
import Synchronization

/// What the routes count, through swift-metrics. All labels are from closed sets.
final class ThumbnailMetrics: Sendable {
    private struct Outcome: Hashable {
        let status: Int
        let label: String
    }

    private let held = Meter(label: "thumbnails_held_bytes")
    private let running = Meter(label: "thumbnails_running")
    private let waiting = Meter(label: "thumbnails_waiting")
    /// Those made so far: to look one up in the metrics system takes longer than a hit.
    private let outcomes = Mutex<[Outcome: (count: Counter, duration: Timer)]>([:])

    /// Counts an answer and its time. `label` says what the cache did.
    func count(status: HTTPResponse.Status, _ label: String, _ duration: Duration) {
        let (counter, timer) = meters(Outcome(status: status.code, label: label))
        counter.increment()
        timer.recordNanoseconds(Int64(clamping: Int((duration / .nanoseconds(1)).rounded())))
    }

    /// Notes how much is held and under way.
    func sample(_ thumbnailer: Thumbnailer) {
        held.set(thumbnailer.memory.counts.cost)
        running.set(thumbnailer.admission.counts.running)
        waiting.set(thumbnailer.admission.counts.waiting)
    }

    private func meters(_ outcome: Outcome) -> (Counter, Timer) {
        outcomes.withLock { outcomes in
            if let meters = outcomes[outcome] { return meters }
            let dimensions = [("status", "\(outcome.status)"), ("cache", outcome.label)]
            let counter = Counter(label: "thumbnails_requests", dimensions: dimensions)
            let timer = Timer(label: "thumbnails_duration", dimensions: [("cache", outcome.label)])
            outcomes[outcome] = (counter, timer)
            return (counter, timer)
        }
    }
}
