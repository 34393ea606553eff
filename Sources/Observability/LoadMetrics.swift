#if Observability
    public import CoreMetrics
    public import DarkroomCore

    /// Counts and times loads.
    ///
    /// | name | meaning | labels |
    /// |---|---|---|
    /// | `darkroom_loads_total` | completed loads | `origin` (`none` for failures), `kind` (`ok`, or the kind of the error) |
    /// | `darkroom_joined_loads_total` | loads that joined one in flight | |
    /// | `darkroom_stale_loads_total` | loads that returned a stale image because no fresh one was available | |
    /// | `darkroom_received_bytes_total` | bytes received by loaders | |
    /// | `darkroom_retries_total` | retried transfers | |
    /// | `darkroom_cache_failures_total` | failed operations of data caches | `operation` (`read`, `write`) |
    /// | `darkroom_load_duration_seconds` | time that callers waited | `origin` |
    /// | `darkroom_stage_duration_seconds` | time spent in a stage | `stage` |
    /// | `darkroom_running_loads` | distinct images being loaded at the last sample | |
    ///
    /// All labels come from closed sets: kinds added by plug-ins are counted as `other`, and no part of a URL is in a
    /// label. Bytes, retries and stages are counted for successful loads that did not join another. Concurrent loads
    /// that make different images from one transfer each count it.
    public struct LoadMetrics: LoadObserver {
        private struct Gauge: Sendable {
            let meter: Meter
            let read: @Sendable () async -> Double?
        }

        /// The meters; `nil` without a metrics back end.
        private let meters: LoadMeters?
        private var gauges: [Gauge] = []

        /// Creates metrics with `factory`, which must be bootstrapped before. `dimensions` are added to all of them; a
        /// `name`, for example, distinguishes several managers.
        public init(
            factory: any MetricsFactory = MetricsSystem.factory, dimensions: [(String, String)] = []
        ) {
            meters = factory is NOOPMetricsHandler ? nil : LoadMeters(factory: factory, dimensions: dimensions)
        }

        /// Counts the load.
        public func loadEnded(_ record: LoadRecord) { meters?.count(record) }

        /// Counts the failure.
        public func cacheFailed(_ error: any Error, isRead: Bool, key: CacheKey) {
            guard let meters, !error.isCancellation else { return }
            (isRead ? meters.failedReads : meters.failedWrites).increment()
        }

        /// Adds a gauge `darkroom_NAME` that each `sample` sets to the result of `read`; `nil` leaves it unchanged.
        ///
        /// It publishes values of other components, such as the bytes in a cache or the waiting transfers.
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
