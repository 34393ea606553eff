#if Observability
    @testable import DarkroomCore
    @testable import DarkroomObservability
    import DarkroomTestKit
    import FoundationEssentials
    import InMemoryLogging
    import InMemoryTracing
    import Logging
    import MetricsTestKit
    import TestSupport

    /// A manager of fakes with all three observers, and their output.
    struct Rig {
        let handler = InMemoryLogHandler()
        let metrics = TestMetrics()
        let tracer = InMemoryTracer()
        let images = FakeImageCache()
        let data = FakeDataCache()
        let observability: LoadObservability
        let manager: ImageManager

        static let url = URL(string: "http://example.com/a.plain")!
        static var file: Data { PlainCoder.file(of: Bitmap(12, 8) { _, _ in Color(red: 1, green: 2, blue: 3) }) }

        init(
            _ loader: FakeLoader = FakeLoader(Rig.file), level: Logger.Level = .trace,
            redaction: URLRedaction = .standard,
            _ configure: (inout ImageManager.Components) -> Void = { _ in }
        ) throws {
            let observability = LoadObservability(
                logger: handler.logger(level: level), metrics: metrics, tracer: tracer, redaction: redaction)
            self.observability = observability
            manager = try ImageManager { [images, data] in
                $0.install(loader)
                $0.install(PlainCoder())
                $0.install(observability)
                $0.imageCache = images
                $0.dataCache = data
                $0.resultFormat = .plain
                configure(&$0)
            }
        }

        /// Loads, and waits until everything has been stored.
        func load(_ url: URL = Rig.url, _ configure: (inout ImageContext) -> Void = { _ in }) async throws
            -> LoadResult
        {
            try await manager.load(
                url,
                context: ImageContext {
                    $0.waitsForStore = true
                    configure(&$0)
                })
        }
    }

    extension InMemoryLogHandler {
        /// Returns a logger that writes to this handler, from `level` on.
        func logger(level: Logger.Level) -> Logger {
            var logger = Logger(label: "test") { _ in self }
            logger.logLevel = level
            return logger
        }

        /// All entries as one text.
        var text: String { entries.map { "\($0.message) \($0.metadata)" }.joined(separator: "\n") }
    }

    extension InMemoryLogHandler.Entry {
        /// Returns the metadata for `key`, as text.
        func text(_ key: String) -> String? { metadata[key].map { "\($0)" } }
    }

    extension LoadRecord {
        /// Creates a record of a load that took one second.
        init(_ result: Result<LoadResult, ImageError>, url: URL = Rig.url) {
            let start = ContinuousClock.now
            self.init(url: url, context: ImageContext(), interval: start..<(start + .seconds(1)), result: result)
        }
    }

    extension LoadResult {
        /// Creates a result from `origin`, with the report that `change` produces.
        init(
            _ origin: Origin, key: CacheKey? = nil, isStale: Bool = false,
            _ change: (inout LoadReport) -> Void = { _ in }
        ) {
            var report = LoadReport(decision: .missing)
            change(&report)
            let bitmap = Bitmap(1, 1) { _, _ in Color(red: 0, green: 0, blue: 0) }
            let info = ImageInfo(format: .plain, storedSize: bitmap.size)
            self.init(
                url: Rig.url, image: Image(info: info, bitmap: bitmap), key: key, origin: origin, isStale: isStale,
                report: report)
        }
    }
#endif
