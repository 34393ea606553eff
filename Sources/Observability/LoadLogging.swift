#if Observability
    public import DarkroomCore
    public import Logging

    /// Writes a line for each load, and warns of caches that fail.
    ///
    /// The message is always one of a few texts; the rest is metadata. URLs are redacted, also where errors quote them.
    public struct LoadLogging: LoadObserver {
        /// Where the lines go.
        public var logger: Logger

        /// How URLs are written.
        public var redaction: URLRedaction

        /// The level of loads that gave their picture, or whose caller did not want it any more: `debug`.
        public var level = Logger.Level.debug

        /// The level of loads that failed: `debug`, because the caller has the error, and anybody may ask for a bad URL.
        public var failureLevel = Logger.Level.debug

        /// The level of loads that gave a stale picture for want of a fresh one, which is no error to anybody: `info`.
        public var staleLevel = Logger.Level.info

        private let readWarnings: RateLimit
        private let writeWarnings: RateLimit

        /// Lines to `logger`, with a warning of failing reads and one of failing writes an interval; more go to `debug`.
        public init(
            _ logger: Logger, redaction: URLRedaction = .standard, cacheWarningInterval: Duration = .seconds(60)
        ) {
            self.logger = logger
            self.redaction = redaction
            readWarnings = RateLimit(interval: cacheWarningInterval)
            writeWarnings = RateLimit(interval: cacheWarningInterval)
        }

        /// Writes the line.
        public func loadEnded(_ record: LoadRecord) {
            let level = level(of: record)
            guard logger.logLevel <= level else { return }
            switch record.result {
            case .success(let result):
                logger.log(level: level, "a load gave a picture", metadata: record.metadata(result, redaction))
            case .failure(let error):
                logger.log(level: level, "a load failed", metadata: record.metadata(error, redaction))
            }
        }

        private func level(of record: LoadRecord) -> Logger.Level {
            switch record.result {
            case .success(let result): result.isStale ? staleLevel : level
            case .failure(let error): error.isIntended ? level : failureLevel
            }
        }

        /// Warns, unless it did a moment ago.
        public func cacheFailed(_ error: any Error, reading: Bool, key: CacheKey) {
            guard !error.isCancellation else { return }
            let heldBack = (reading ? readWarnings : writeWarnings).pass()
            logger.log(
                level: heldBack == nil ? .debug : .warning, "a cache failed",
                metadata: [
                    "operation": reading ? "read" : "write",
                    "url": .string(redaction(key.source)),
                    "variant": .string(redaction.text(key.variant.joined(separator: "-"))),
                    "error": .string(redaction.text("\(error)")),
                    "held_back": .stringConvertible(heldBack ?? 0),
                ])
        }
    }
#endif
