#if Observability
    public import CoreMetrics
    public import DarkroomCore
    public import Logging
    public import Tracing

    /// Logs, metrics and spans of all loads of a manager.
    ///
    /// ```swift
    /// let manager = try ImageManager.standard {
    ///     $0.install(LoadObservability(logger: Logger(label: "pictures")))
    /// }
    /// ```
    ///
    /// No configuration is required: without a back end, the overhead is negligible. Each of the three can also be
    /// installed separately. They are derived from the `LoadRecord`, after the load and in the caller's task, so that
    /// the caller's service context and log metadata apply.
    public struct LoadObservability: ImagePlugin {
        /// The observer that logs.
        public var logging: LoadLogging

        /// The observer that counts and times.
        public var metrics: LoadMetrics

        /// The observer that records spans.
        public var tracing: LoadTracing

        /// Creates all three. Bootstrap the metrics back end before; without a `tracer`, the one active at the end of
        /// each load is used.
        public init(
            logger: Logger = Logger(label: "darkroom"), metrics factory: any MetricsFactory = MetricsSystem.factory,
            tracer: (any Tracer)? = nil, redaction: URLRedaction = .standard
        ) {
            logging = LoadLogging(logger, redaction: redaction)
            metrics = LoadMetrics(factory: factory)
            tracing = LoadTracing(tracer, redaction: redaction)
        }

        /// Adds the three observers.
        public func install(in components: inout ImageManager.Components) {
            components.install(logging)
            components.install(metrics)
            components.install(tracing)
        }
    }
#endif
