#if Observability
    import CoreMetrics
    import DarkroomCore

    /// The counters, timers and gauges, created before the first load, so that a load only looks them up.
    struct LoadMeters: Sendable {
        /// The outcome of a load: an origin or an error kind.
        private struct Outcome: Hashable {
            var origin: LoadResult.Origin?
            var kind = "ok"

            init(_ origin: LoadResult.Origin?) { self.origin = origin }

            init(_ kind: ImageError.Kind) { self.kind = kind.label }

            init(_ result: Result<LoadResult, ImageError>) {
                switch result {
                case .success(let result): self.init(result.origin)
                case .failure(let error): self.init(error.kind)
                }
            }

            static let all =
                LoadResult.Origin.allCases.map { Self($0) }
                + (Array(ImageError.Kind.known) + [ImageError.Kind(rawValue: "other")]).map { Self($0) }
        }

        private let builder: MeterBuilder
        private let loads: [Outcome: Counter]
        private let loadDurations: [LoadResult.Origin?: Timer]
        private let stageDurations: [LoadReport.Step: Timer]
        private let joinedLoads: Counter
        private let staleLoads: Counter
        private let receivedBytes: Counter
        private let retries: Counter

        let failedReads: Counter
        let failedWrites: Counter
        let runningLoads: Meter

        init(factory: any MetricsFactory, dimensions: [(String, String)]) {
            let builder = MeterBuilder(factory: factory, dimensions: dimensions)
            self.builder = builder
            loads = Dictionary(
                uniqueKeysWithValues: Outcome.all.map {
                    ($0, builder.counter("loads_total", labels: [("origin", $0.origin.label), ("kind", $0.kind)]))
                })
            loadDurations = Dictionary(
                uniqueKeysWithValues: Set(Outcome.all.map(\.origin)).map {
                    ($0, builder.timer("load_duration_seconds", labels: [("origin", $0.label)]))
                })
            stageDurations = Dictionary(
                uniqueKeysWithValues: LoadReport.Step.allCases.map {
                    ($0, builder.timer("stage_duration_seconds", labels: [("stage", $0.rawValue)]))
                })
            joinedLoads = builder.counter("joined_loads_total")
            staleLoads = builder.counter("stale_loads_total")
            receivedBytes = builder.counter("received_bytes_total")
            retries = builder.counter("retries_total")
            failedReads = builder.counter("cache_failures_total", labels: [("operation", "read")])
            failedWrites = builder.counter("cache_failures_total", labels: [("operation", "write")])
            runningLoads = builder.gauge("running_loads")
        }

        /// Creates a gauge with this name.
        func gauge(_ name: String) -> Meter { builder.gauge(name) }

        /// Counts one load.
        func count(_ record: LoadRecord) {
            let outcome = Outcome(record.result)
            loads[outcome]?.increment()
            loadDurations[outcome.origin]?.recordNanoseconds(record.duration.nanoseconds)
            guard case .success(let result) = record.result else { return }
            if result.isStale { staleLoads.increment() }
            count(result.report)
        }

        private func count(_ report: LoadReport) {
            guard !report.isJoined else { return joinedLoads.increment() }
            if !report.isTransferJoined {
                if report.receivedByteCount > 0 { receivedBytes.increment(by: report.receivedByteCount) }
                if report.retryCount > 0 { retries.increment(by: report.retryCount) }
            }
            for stage in report.stages where !report.isTransferJoined || !stage.step.isTransfer {
                stageDurations[stage.step]?.recordNanoseconds(stage.duration.nanoseconds)
            }
        }
    }

    /// Creates meters with the prefix `darkroom_` and the dimensions of their owner.
    private struct MeterBuilder: Sendable {
        let factory: any MetricsFactory
        let dimensions: [(String, String)]

        func counter(_ name: String, labels: [(String, String)] = []) -> Counter {
            Counter(label: "darkroom_\(name)", dimensions: dimensions + labels, factory: factory)
        }

        func timer(_ name: String, labels: [(String, String)]) -> Timer {
            Timer(
                label: "darkroom_\(name)", dimensions: dimensions + labels, preferredDisplayUnit: .seconds,
                factory: factory)
        }

        func gauge(_ name: String) -> Meter {
            Meter(label: "darkroom_\(name)", dimensions: dimensions, factory: factory)
        }
    }

    extension LoadResult.Origin? {
        fileprivate var label: String { self?.rawValue ?? "none" }
    }
#endif
