import CoreMetrics
import Synchronization

/// A histogram: for each bound, the number of values up to it.
final class Histogram: Series, RecorderHandler, TimerHandler {
    /// Bounds for durations in seconds, from a memory hit to requests that clients no longer wait for.
    static let durations = [
        0.0001, 0.0003, 0.001, 0.003, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30,
    ]

    /// Bounds for bytes and other counts.
    static let sizes = [1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8]

    private struct State {
        var counts: [Int]
        var sum = 0.0
    }

    private let bounds: [Double]
    private let state: Mutex<State>

    /// Creates a histogram with ascending `bounds`.
    init(bounds: [Double]) {
        self.bounds = bounds
        state = Mutex(State(counts: Array(repeating: 0, count: bounds.count + 1)))
    }

    func record(_ value: Int64) { record(Double(value)) }

    func record(_ value: Double) {
        let index = bounds.firstIndex { value <= $0 } ?? bounds.count
        state.withLock {
            $0.counts[index] += 1
            $0.sum += value
        }
    }

    func recordNanoseconds(_ duration: Int64) { record(Double(duration) / 1e9) }

    func lines(named name: String, labels: String) -> [String] {
        let (counts, sum) = state.withLock { ($0.counts, $0.sum) }
        let prefix = labels.isEmpty ? "" : labels + ","
        var total = 0
        var lines: [String] = []
        for (bound, count) in zip(bounds + [.infinity], counts) {
            total += count
            lines.append(
                line(
                    name + "_bucket", labels: "\(prefix)le=\"\(bound.metricValue)\"", value: "\(total)"))
        }
        return lines + [
            line(name + "_sum", labels: labels, value: sum.metricValue),
            line(name + "_count", labels: labels, value: "\(total)"),
        ]
    }
}
