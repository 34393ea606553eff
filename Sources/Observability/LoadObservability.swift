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
    /// Nothing needs to be configured: what has no back-end costs next to nothing. Each of the three can also be installed
    /// alone. All of it is made of the `LoadRecord`, after the load and in the caller's task, so that the caller's
    /// service context and its log metadata are there.
    public struct LoadObservability: ImagePlugin {
        /// What writes log lines.
        public var logging: LoadLogging

        /// What counts and times.
        public var metrics: LoadMetrics

        /// What makes spans.
        public var tracing: LoadTracing

        /// All three. Bootstrap the back-end of the metrics before; without a `tracer`, the one in force at each load is used.
        public init(
            logger: Logger = Logger(label: "darkroom"), metrics factory: any MetricsFactory = MetricsSystem.factory,
            tracer: (any Tracer)? = nil, redaction: URLRedaction = .standard
        ) {
            logging = LoadLogging(logger, redaction: redaction)
            metrics = LoadMetrics(factory: factory)
            tracing = LoadTracing(tracer, redaction: redaction)
        }

        /// Adds the three.
        public func install(in components: inout ImageManager.Components) {
            components.install(logging)
            components.install(metrics)
            components.install(tracing)
        }
    }
#endif
