#if HTTP
    import AsyncHTTPClient
    import NIOCore
    import NIOHTTPCompression
    import Synchronization

    /// The connections of one loader and of its transfers; closed when the last of them is gone.
    final class OwnedClient: Sendable {
        private let settings: HTTPClient.Configuration
        private let made = Mutex<HTTPClient?>(nil)

        init(_ configuration: HTTPLoader.Configuration, _ custom: HTTPClient.Configuration) {
            var settings = custom
            // Redirects are followed by `Transfer`, which knows where credentials may go.
            settings.redirectConfiguration = .disallow
            settings.timeout = .init(connect: TimeAmount(configuration.connectTimeout))
            settings.decompression = .enabled(limit: .ratio(max(1, configuration.decompressionRatioLimit)))
            // Otherwise a host that refuses connections is tried again until the time is up.
            settings.connectionPool.retryConnectionEstablishment = false
            self.settings = settings
        }

        /// The client, made when it is first needed: who loads nothing over HTTP starts no threads for it.
        ///
        /// Whoever uses it keeps this object.
        var client: HTTPClient {
            made.withLock { made in
                if let made { return made }
                let client = HTTPClient(configuration: settings)
                made = client
                return client
            }
        }

        // A client must not go without having been shut down.
        deinit { made.withLock { $0 }?.shutdown { _ in } }

        /// Ends all requests and connections.
        func shutdown() async {
            // It fails only when that has been done already.
            try? await client.shutdown()
        }
    }
#endif
