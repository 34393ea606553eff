import HTTPTypes
import Metrics

/// What the routes count, through swift-metrics. All labels are from closed sets.
struct ThumbnailMetrics: Sendable {
    private let held = Meter(label: "thumbnails_held_bytes")
    private let running = Meter(label: "thumbnails_running")
    private let waiting = Meter(label: "thumbnails_waiting")

    /// Counts an answer and its time. `label` says what the cache did.
    func count(status: HTTPResponse.Status, _ label: String, _ duration: Duration) {
        Counter(label: "thumbnails_requests", dimensions: [("status", "\(status.code)"), ("cache", label)]).increment()
        let nanoseconds = Int64(clamping: Int((duration / .nanoseconds(1)).rounded()))
        Timer(label: "thumbnails_duration", dimensions: [("cache", label)]).recordNanoseconds(nanoseconds)
    }

    /// Notes how much is held and under way.
    func sample(_ thumbnailer: Thumbnailer) {
        held.set(thumbnailer.memory.counts.bytes)
        running.set(thumbnailer.admission.counts.running)
        waiting.set(thumbnailer.admission.counts.waiting)
    }
}
