#if HTTP
    import AsyncHTTPClient
    import NIOCore
    import NIOHTTPCompression

    /// The connections of one loader and of its transfers; closed when the last of them is gone.
    final class OwnedClient: Sendable {
        /// The client. Whoever uses it keeps this object.
        let client: HTTPClient

        init(_ configuration: HTTPLoader.Configuration, _ custom: HTTPClient.Configuration) {
            var settings = custom
            // Redirects are followed by `Transfer`, which knows where credentials may go.
            settings.redirectConfiguration = .disallow
            settings.timeout = .init(connect: TimeAmount(configuration.connectTimeout))
            settings.decompression = .enabled(limit: .ratio(max(1, configuration.decompressionRatioLimit)))
            // Otherwise a host that refuses connections is tried again until the time is up.
            settings.connectionPool.retryConnectionEstablishment = false
            client = HTTPClient(configuration: settings)
        }

        // A client must not go without having been shut down.
        deinit { client.shutdown { _ in } }

        /// Ends all requests and connections.
        func shutdown() async {
            // It fails only when that has been done already.
            try? await client.shutdown()
        }
    }
#endif
