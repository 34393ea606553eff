public import CoreMetrics
import Synchronization

/// Metrics that are read as Prometheus's text: a back-end for swift-metrics.
///
/// Counters get the suffix `_total`, and timers, which are histograms of seconds, `_seconds`. A name has so many series
/// at most; what would be another is not counted, so that no label can fill the memory.
public final class PrometheusRegistry: MetricsFactory {
    private let seriesLimit: Int
    private let families = Mutex<[String: Family]>([:])

    /// An empty registry.
    public init(seriesLimit: Int = 1000) { self.seriesLimit = seriesLimit }

    /// All metrics in the text format, version 0.0.4; names and labels in order.
    public func text() -> String {
        let families = families.withLock { $0 }
        return families.sorted { $0.key < $1.key }.map { $1.text(named: $0) }.joined()
    }

    /// A counter.
    public func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        series(label, suffix: "_total", .counter, dimensions) { Sum() }
    }

    /// A counter of fractions.
    public func makeFloatingPointCounter(
        label: String, dimensions: [(String, String)]
    ) -> any FloatingPointCounterHandler {
        series(label, suffix: "_total", .counter, dimensions) { Sum() }
    }

    /// A gauge.
    public func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        series(label, suffix: "", .gauge, dimensions) { Sum() }
    }

    /// A histogram, or a gauge where nothing is to be aggregated.
    public func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
        if aggregate { return series(label, suffix: "", .histogram, dimensions) { Histogram(bounds: Histogram.sizes) } }
        return series(label, suffix: "", .gauge, dimensions) { Sum() }
    }

    /// A histogram of seconds.
    public func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        series(label, suffix: "_seconds", .histogram, dimensions) { Histogram(bounds: Histogram.durations) }
    }

    /// Nothing: what was counted is still read.
    public func destroyCounter(_ handler: any CounterHandler) {}

    /// Nothing.
    public func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) {}

    /// Nothing.
    public func destroyMeter(_ handler: any MeterHandler) {}

    /// Nothing.
    public func destroyRecorder(_ handler: any RecorderHandler) {}

    /// Nothing.
    public func destroyTimer(_ handler: any TimerHandler) {}

    private func series<Handler: Series>(
        _ label: String, suffix: String, _ kind: Family.Kind, _ dimensions: [(String, String)], _ make: () -> Handler
    ) -> Handler {
        let name = label.metricName.ending(in: suffix)
        let labels = dimensions.map { "\($0.metricName)=\"\($1.labelValue)\"" }.joined(separator: ",")
        return families.withLock { families in
            var family = families[name] ?? Family(kind: kind)
            if let handler = family.series[labels] as? Handler { return handler }
            let handler = make()
            // Of two kinds under one name, the first is read.
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
    /// The name with `_` for what a metric's name may not hold.
    fileprivate var metricName: String {
        var name = String.UnicodeScalarView()
        for scalar in unicodeScalars { name.append(scalar.isOfMetricName ? scalar : "_") }
        return name.first.map { "0"..."9" ~= $0 } ?? true ? "_" + String(name) : String(name)
    }

    fileprivate func ending(in suffix: String) -> String { hasSuffix(suffix) ? self : self + suffix }

    /// The value as it stands between quotation marks.
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
