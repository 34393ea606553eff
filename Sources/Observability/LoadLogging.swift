#if Observability
    public import DarkroomCore
    public import Logging

    /// Logs each load, and warns when a cache fails.
    ///
    /// The message is always one of a few fixed texts; the rest is metadata. URLs are redacted, including those quoted
    /// in errors.
    public struct LoadLogging: LoadObserver {
        /// The logger that receives the records.
        public var logger: Logger

        /// The redaction applied to URLs.
        public var redaction: URLRedaction

        /// The level of loads that succeeded or were cancelled: `debug`.
        public var level = Logger.Level.debug

        /// The level of loads that failed: `debug`, because the caller receives the error, and any client may request a
        /// bad URL.
        public var failureLevel = Logger.Level.debug

        /// The level of loads that returned a stale image because no fresh one was available, which no caller sees as
        /// an error: `info`.
        public var staleLevel = Logger.Level.info

        private let readWarnings: WarningLimit
        private let writeWarnings: WarningLimit

        /// Creates an observer that logs to `logger`. It logs one warning about failing reads and one about failing
        /// writes in each interval; further ones have the level `debug`.
        public init(
            _ logger: Logger, redaction: URLRedaction = .standard, cacheWarningInterval: Duration = .seconds(60)
        ) {
            self.logger = logger
            self.redaction = redaction
            readWarnings = WarningLimit(interval: cacheWarningInterval)
            writeWarnings = WarningLimit(interval: cacheWarningInterval)
        }

        /// Logs the load.
        public func loadEnded(_ record: LoadRecord) {
            let level = level(of: record)
            guard logger.logLevel <= level else { return }
            switch record.result {
            case .success(let result):
                logger.log(level: level, "load completed", metadata: record.metadata(of: result, redactedBy: redaction))
            case .failure(let error):
                logger.log(level: level, "load failed", metadata: record.metadata(of: error, redactedBy: redaction))
            }
        }

        private func level(of record: LoadRecord) -> Logger.Level {
            switch record.result {
            case .success(let result): result.isStale ? staleLevel : level
            case .failure(let error): error.isIntended ? level : failureLevel
            }
        }

        /// Logs a warning, unless one was logged within the interval.
        public func cacheFailed(_ error: any Error, isRead: Bool, key: CacheKey) {
            guard !error.isCancellation else { return }
            let suppressedCount = (isRead ? readWarnings : writeWarnings).pass()
            logger.log(
                level: suppressedCount == nil ? .debug : .warning, "cache operation failed",
                metadata: [
                    "operation": isRead ? "read" : "write",
                    "url": .string(redaction(key.source)),
                    "variant": .string(redaction.text(key.variant.joined(separator: "-"))),
                    "error": .string(redaction.text("\(error)")),
                    "suppressed": .stringConvertible(suppressedCount ?? 0),
                ])
        }
    }
#endif
