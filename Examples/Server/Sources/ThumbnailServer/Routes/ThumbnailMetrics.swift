import Darkroom
import HTTPTypes
import Metrics
import Synchronization

/// The metrics of the routes, through swift-metrics. All labels are from closed sets.
final class ThumbnailMetrics: Sendable {
    private struct Outcome: Hashable {
        let status: Int
        let cacheLabel: String
    }

    private let cachedBytes = Meter(label: "thumbnails_cached_bytes")
    private let running = Meter(label: "thumbnails_running")
    private let waiting = Meter(label: "thumbnails_waiting")
    /// The meters created so far, because a lookup in the metrics system takes longer than a hit.
    private let outcomes = Mutex<[Outcome: (count: Counter, duration: Timer)]>([:])

    /// Counts a response, and records its duration.
    ///
    /// - Parameter cacheLabel: ``CacheStatus/label`` of the response, `error` or `cancelled`.
    func record(status: HTTPResponse.Status, cacheLabel: String, duration: Duration) {
        let (counter, timer) = meters(for: Outcome(status: status.code, cacheLabel: cacheLabel))
        counter.increment()
        timer.recordNanoseconds(Int64(saturating: duration / .nanoseconds(1)))
    }

    /// Updates the gauges.
    func sample(_ manager: ImageManager, memory: MemoryDataCache?) {
        let counts = manager.encodingCounts
        cachedBytes.set(memory?.byteCount ?? 0)
        running.set(counts.running)
        waiting.set(counts.waiting)
    }

    private func meters(for outcome: Outcome) -> (Counter, Timer) {
        outcomes.withLock { outcomes in
            if let meters = outcomes[outcome] { return meters }
            let dimensions = [("status", "\(outcome.status)"), ("cache", outcome.cacheLabel)]
            let counter = Counter(label: "thumbnails_requests", dimensions: dimensions)
            let timer = Timer(label: "thumbnails_duration", dimensions: [("cache", outcome.cacheLabel)])
            outcomes[outcome] = (counter, timer)
            return (counter, timer)
        }
    }
}
