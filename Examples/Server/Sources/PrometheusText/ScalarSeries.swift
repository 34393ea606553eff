import CoreMetrics
import Synchronization

/// A single number: the value of a counter or a gauge.
final class ScalarSeries: Series, CounterHandler, FloatingPointCounterHandler, MeterHandler, RecorderHandler {
    private let value = Mutex(0.0)

    func increment(by amount: Int64) { value.withLock { $0 += Double(amount) } }
    func increment(by amount: Double) { value.withLock { $0 += amount } }
    func decrement(by amount: Double) { value.withLock { $0 -= amount } }
    func set(_ new: Int64) { value.withLock { $0 = Double(new) } }
    func set(_ new: Double) { value.withLock { $0 = new } }
    func record(_ new: Int64) { set(new) }
    func record(_ new: Double) { set(new) }
    func reset() { set(Int64(0)) }

    func lines(named name: String, labels: String) -> [String] {
        [line(name, labels: labels, value: value.withLock { $0 }.metricValue)]
    }
}

extension Double {
    /// The number in the text format: integers without a decimal point.
    var metricValue: String {
        if isNaN { return "NaN" }
        if isInfinite { return self > 0 ? "+Inf" : "-Inf" }
        return magnitude < 1e15 && self == rounded() ? "\(Int64(self))" : "\(self)"
    }
}
