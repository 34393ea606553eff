public import CoreMetrics
import Synchronization

/// A swift-metrics back end that exports metrics in Prometheus's text format.
///
/// Counters get the suffix `_total`; timers, which are histograms of seconds, get `_seconds`. The number of series for
/// each name is limited; further series are not recorded, so that no label can exhaust the memory.
public final class PrometheusRegistry: MetricsFactory {
    private let seriesLimit: Int
    private let families = Mutex<[String: Family]>([:])

    /// Creates an empty registry that keeps up to `seriesLimit` series for each name.
    public init(seriesLimit: Int = 1000) { self.seriesLimit = seriesLimit }

    /// Returns all metrics in the text format, version 0.0.4, sorted by name and labels.
    public func text() -> String {
        let families = families.withLock { $0 }
        return families.sorted { $0.key < $1.key }.map { $1.text(named: $0) }.joined()
    }

    /// Creates a counter.
    public func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        series(label.metricName.ending(in: "_total"), .counter, dimensions: dimensions) { ScalarSeries() }
    }

    /// Creates a floating-point counter.
    public func makeFloatingPointCounter(
        label: String, dimensions: [(String, String)]
    ) -> any FloatingPointCounterHandler {
        series(label.metricName.ending(in: "_total"), .counter, dimensions: dimensions) { ScalarSeries() }
    }

    /// Creates a gauge.
    public func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        series(label.metricName, .gauge, dimensions: dimensions) { ScalarSeries() }
    }

    /// Creates a histogram, or a gauge if `aggregate` is `false`.
    public func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
        guard !aggregate else {
            return series(label.metricName, .histogram, dimensions: dimensions) { Histogram(bounds: Histogram.sizes) }
        }
        return series(label.metricName, .gauge, dimensions: dimensions) { ScalarSeries() }
    }

    /// Creates a histogram of seconds.
    public func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        series(label.metricName.ending(in: "_seconds"), .histogram, dimensions: dimensions) {
            Histogram(bounds: Histogram.durations)
        }
    }

    /// Does nothing: recorded values are still exported.
    public func destroyCounter(_ handler: any CounterHandler) {}

    /// Does nothing.
    public func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) {}

    /// Does nothing.
    public func destroyMeter(_ handler: any MeterHandler) {}

    /// Does nothing.
    public func destroyRecorder(_ handler: any RecorderHandler) {}

    /// Does nothing.
    public func destroyTimer(_ handler: any TimerHandler) {}

    /// Returns the series called `name` with `dimensions`, creating it with `make` if necessary.
    private func series<Handler: Series>(
        _ name: String, _ kind: Family.Kind, dimensions: [(String, String)], make: () -> Handler
    ) -> Handler {
        let labels = dimensions.map { "\($0.metricName)=\"\($1.labelValue)\"" }.joined(separator: ",")
        return families.withLock { families in
            var family = families[name] ?? Family(kind: kind)
            if let handler = family.series[labels] as? Handler { return handler }
            let handler = make()
            // If a name is used with two kinds, only the first kind is exported.
            guard family.kind == kind, family.series.count < seriesLimit, family.series[labels] == nil else {
                return handler
            }
            family.series[labels] = handler
            families[name] = family
            return handler
        }
    }
}

extension String {
    /// The name with `_` in place of characters that metric names may not contain.
    fileprivate var metricName: String {
        var name = String.UnicodeScalarView()
        for scalar in unicodeScalars { name.append(scalar.isOfMetricName ? scalar : "_") }
        return name.first.map { "0"..."9" ~= $0 } ?? true ? "_" + String(name) : String(name)
    }

    fileprivate func ending(in suffix: String) -> String { hasSuffix(suffix) ? self : self + suffix }

    /// The value, escaped for quotation marks.
    fileprivate var labelValue: String {
        unicodeScalars.map { scalar in
            switch scalar {
            case "\\": "\\\\"
            case "\"": "\\\""
            case "\n": "\\n"
            default: String(scalar)
            }
        }.joined()
    }
}

extension Unicode.Scalar {
    fileprivate var isOfMetricName: Bool {
        switch self {
        case "a"..."z", "A"..."Z", "0"..."9", "_", ":": true
        default: false
        }
    }
}
