#if HTTP
    import AsyncHTTPClient
    import NIOCore
    import NIOHTTPCompression
    import NIOSSL

    extension HTTPClient.Configuration {
        /// These settings, with what `configuration` decides in place of what they say.
        func applying(_ configuration: HTTPLoader.Configuration) -> HTTPClient.Configuration {
            var settings = self
            // Redirects are followed by `Transfer`, which knows where credentials may go.
            settings.redirectConfiguration = .disallow
            settings.timeout = .init(connect: TimeAmount(configuration.connectTimeout))
            settings.decompression = .enabled(limit: .ratio(max(1, configuration.decompressionRatioLimit)))
            // Otherwise a host that refuses connections is tried again until the time is up.
            settings.connectionPool.retryConnectionEstablishment = false
            if let proxy = configuration.proxy { settings.proxy = proxy.setting }
            if !configuration.trustRoots.isSystem || configuration.allowsInvalidCertificates {
                var tls = settings.tlsConfiguration ?? .makeClientConfiguration()
                configuration.trustRoots.apply(to: &tls)
                if configuration.allowsInvalidCertificates { tls.certificateVerification = .none }
                settings.tlsConfiguration = tls
            }
            return settings
        }
    }
#endif
