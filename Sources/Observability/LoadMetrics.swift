#if Observability
    public import CoreMetrics
    public import DarkroomCore

    /// Counts and times loads.
    ///
    /// | name | what | labels |
    /// |---|---|---|
    /// | `darkroom_loads_total` | loads that ended | `origin` (`none` for failures), `kind` (`ok`, or that of the error) |
    /// | `darkroom_shared_loads_total` | loads that joined another's work | |
    /// | `darkroom_stale_loads_total` | loads that gave a stale picture for want of a fresh one | |
    /// | `darkroom_received_bytes_total` | bytes that loaders brought | |
    /// | `darkroom_retries_total` | transfers that were tried again | |
    /// | `darkroom_cache_failures_total` | what data caches could not do | `operation` (`read`, `write`) |
    /// | `darkroom_load_duration_seconds` | how long callers waited | `origin` |
    /// | `darkroom_stage_duration_seconds` | how long the work took | `stage` |
    /// | `darkroom_running_loads` | different pictures that are being made, when last sampled | |
    ///
    /// All labels are from closed sets: kinds that plug-ins add are counted as `other`, and nothing of a URL is in a label.
    /// Bytes, retries and stages are those of loads that gave a picture and did not join another's run. Runs that make
    /// different pictures of one transfer at once count it each.
    public struct LoadMetrics: LoadObserver {
        private struct Gauge: Sendable {
            let meter: Meter
            let read: @Sendable () async -> Double?
        }

        /// `nil` when nobody would see them.
        private let meters: LoadMeters?
        private var gauges: [Gauge] = []

        /// Metrics of `factory`, which is bootstrapped before. `dimensions` are on all of them; a `name`, for example, tells
        /// several managers apart.
        public init(
            factory: any MetricsFactory = MetricsSystem.factory, dimensions: [(String, String)] = []
        ) {
            meters = factory is NOOPMetricsHandler ? nil : LoadMeters(factory: factory, dimensions: dimensions)
        }

        /// Counts the load.
        public func loadEnded(_ record: LoadRecord) { meters?.count(record) }

        /// Counts the failure.
        public func cacheFailed(_ error: any Error, reading: Bool, key: CacheKey) {
            guard let meters, !error.isCancellation else { return }
            (reading ? meters.failedReads : meters.failedWrites).increment()
        }

        /// Has each `sample` set the gauge `darkroom_NAME` to what `read` answers; `nil` leaves it as it is.
        ///
        /// For what only its owner can tell, such as the bytes in a cache or the transfers that wait.
        public mutating func addGauge(_ name: String, _ read: @escaping @Sendable () async -> Double?) {
            guard let meters else { return }
            gauges.append(Gauge(meter: meters.gauge(name), read: read))
        }

        /// Sets all gauges. Call it every few seconds.
        public func sample(_ manager: ImageManager) async {
            guard let meters else { return }
            meters.runningLoads.set(manager.runningCount)
            for gauge in gauges {
                if let value = await gauge.read() { gauge.meter.set(value) }
            }
        }
    }
#endif
