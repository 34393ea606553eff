#if S3
    import AsyncHTTPClient
    import DarkroomCore
    import DarkroomHTTPGuard
    import DarkroomPlatform
    import NIOCore
    import NIOSSL
    import Synchronization

    /// Signs requests, sends them, and adapts to the clock of the engine.
    final class S3Client: Sendable {
        private struct State {
            var client: HTTPClient?
            var isClosed = false
            /// The time by which the engine's clock is ahead of ours.
            var clockOffset: TimeInterval = 0
        }

        /// The difference between two clocks that is tolerated, in seconds. Engines tolerate 15 minutes.
        private static let toleratedOffset: TimeInterval = 180

        /// The settings.
        let configuration: S3Configuration

        /// The stage of errors.
        let stage: ImageError.Stage

        /// Whether a response has shown that the bucket exists.
        let hasFoundBucket = Atomic(false)

        private let credentials: CredentialsCache
        private let now: @Sendable () -> Date
        private let state = Mutex(State())

        init(
            _ configuration: S3Configuration, stage: ImageError.Stage, now: @escaping @Sendable () -> Date = { Date() }
        ) {
            self.configuration = configuration
            self.stage = stage
            self.now = now
            credentials = CredentialsCache(configuration.credentials)
        }

        // async-http-client requires that a client is shut down before it is deallocated.
        deinit { state.withLock(\.client)?.shutdown { _ in } }

        /// Returns the response to `request`.
        ///
        /// The request is signed and sent again, once, if the engine rejects it because of its time or its temporary
        /// credentials.
        func response(to request: S3Request) async throws -> S3Response {
            let (first, used) = try await send(request)
            // Some engines reject a wrong time with status 400.
            guard first.status == 403 || first.status == 400, adapt(to: first, after: used) else { return first }
            return try await send(request).response
        }

        /// Ends all requests and closes all connections, permanently.
        func shutdown() async {
            let client = state.withLock { state in
                state.isClosed = true
                return state.client.take()
            }
            // This fails only if the client has been shut down already.
            try? await client?.shutdown()
        }

        private func send(_ request: S3Request) async throws -> (response: S3Response, credentials: S3Credentials) {
            let used = try await credentials.credentials()
            let date = now() + state.withLock(\.clockOffset)
            let message = try request.signed(at: date, with: used, for: configuration)
            let response = try await client().execute(message, deadline: .distantFuture)
            return (try await S3Response(response), used)
        }

        /// Returns whether the request may succeed now that the reason of its rejection is known.
        private func adapt(to response: S3Response, after used: S3Credentials) -> Bool {
            if ["ExpiredToken", "InvalidToken", "ExpiredTokenException"].contains(response.error.code) {
                credentials.discard(used)
                return true
            }
            guard let date = response.date else { return false }
            let offset = date.timeIntervalSince(now())
            return state.withLock { state in
                let isSkewed = abs(offset - state.clockOffset) > Self.toleratedOffset
                guard isSkewed || response.error.code == "RequestTimeTooSkewed" else { return false }
                state.clockOffset = offset
                return true
            }
        }

        /// Returns the HTTP client. It is created on first use, so that a program that sends no requests starts no
        /// threads for it.
        private func client() throws(ImageError) -> HTTPClient {
            try state.withLock { state throws(ImageError) in
                guard !state.isClosed else { throw ImageError(.refused, stage, "the S3 client was shut down") }
                if let client = state.client { return client }
                let client = HTTPClient(configuration: configuration.clientSettings)
                state.client = client
                return client
            }
        }
    }

    extension S3Configuration {
        fileprivate var clientSettings: HTTPClient.Configuration {
            var settings = HTTPClient.Configuration(redirectConfiguration: .disallow)
            settings.timeout.connect = TimeAmount(connectTimeout)
            settings.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = max(1, connectionLimit)
            // `S3Client` retries within the deadline of the call.
            settings.connectionPool.retryConnectionEstablishment = false
            settings.dnsOverride = hostAddresses
            var tls = TLSConfiguration.makeClientConfiguration()
            trustRoots.authorities.apply(to: &tls)
            if allowsInvalidCertificates { tls.certificateVerification = .none }
            settings.tlsConfiguration = tls
            // An engine could end the process through HTTP/2.
            settings.httpVersion = .http1Only
            settings.guardResponses()
            return settings
        }
    }
#endif
