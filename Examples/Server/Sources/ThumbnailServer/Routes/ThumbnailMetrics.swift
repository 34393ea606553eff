import Darkroom
import HTTPTypes
import Metrics
import Synchronization

/// The metrics of the routes, through swift-metrics. All labels are from closed sets.
final class ThumbnailMetrics: Sendable {
    private struct Outcome: Hashable {
        let status: Int
        let label: String
    }

    private let held = Meter(label: "thumbnails_held_bytes")
    private let running = Meter(label: "thumbnails_running")
    private let waiting = Meter(label: "thumbnails_waiting")
    /// The meters created so far, because a lookup in the metrics system takes longer than a hit.
    private let outcomes = Mutex<[Outcome: (count: Counter, duration: Timer)]>([:])

    /// Counts a response and its duration. `label` is that of its cache status.
    func count(status: HTTPResponse.Status, _ label: String, _ duration: Duration) {
        let (counter, timer) = meters(Outcome(status: status.code, label: label))
        counter.increment()
        timer.recordNanoseconds(Int64(clamping: Int((duration / .nanoseconds(1)).rounded())))
    }

    /// Updates the gauges.
    func sample(_ manager: ImageManager, _ memory: MemoryDataCache?) {
        let counts = manager.encodingCounts
        held.set(memory?.byteCount ?? 0)
        running.set(counts.running)
        waiting.set(counts.waiting)
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
