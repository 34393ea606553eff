#if S3
    import AsyncHTTPClient
    import DarkroomCore
    import DarkroomPlatform
    import NIOCore

    /// The chunks of an object, received within the limits of the transfer.
    struct S3Chunks: ChunkSource {
        private let reader: ChunkReader
        /// The loader, which is referenced until the transfer ends, because it owns the connection.
        private let loader: S3Loader
        private let admission: Admission
        private let limits: DecodeLimits
        private let end: ContinuousClock.Instant
        private var byteCount = 0

        /// Creates the chunks of `body`, of a transfer that ends at `end` at the latest.
        init(
            _ body: HTTPClientResponse.Body, of loader: S3Loader, _ admission: Admission, limits: DecodeLimits,
            until end: ContinuousClock.Instant
        ) {
            reader = ChunkReader(body.map { Data($0.readableBytesView) })
            self.loader = loader
            self.admission = admission
            self.limits = limits
            self.end = end
        }

        mutating func next() async throws -> Data? {
            let (timeout, setting) = timeout
            let chunk = try await loader.running(in: admission, atMost: timeout, setting: setting) { [reader] in
                try await reader.next()
            }
            byteCount += chunk?.count ?? 0
            try limits.check(encodedByteCount: byteCount)
            return chunk
        }

        /// The timeout for the next bytes, and the setting that determines it.
        private var timeout: (duration: Duration, setting: String) {
            let (idle, rest) = (loader.configuration.idleTimeout, ContinuousClock.now.duration(to: end))
            return idle <= rest ? (idle, "idleTimeout") : (rest, "totalTimeout")
        }
    }
#endif
