#if HTTP
    import AsyncHTTPClient
    import DarkroomHTTPGuard
    import NIOCore
    import NIOHTTP1
    import NIOHTTP2
    import NIOHTTPCompression
    import NIOSSL

    extension HTTPClient.Configuration {
        /// Returns these settings with those replaced that `configuration` controls.
        func applying(_ configuration: HTTPLoader.Configuration) -> HTTPClient.Configuration {
            var settings = self
            // `Transfer` follows redirects, because it knows which origins may receive credentials.
            settings.redirectConfiguration = .disallow
            settings.timeout = .init(connect: TimeAmount(configuration.connectTimeout))
            // The decompressor multiplies the ratio by the number of received bytes, without regard to overflow.
            settings.decompression = .enabled(
                limit: .ratio(min(max(1, configuration.decompressionRatioLimit), Int(Int32.max))))
            settings.httpVersion = configuration.allowsHTTP2 ? .automatic : .http1Only
            // Otherwise the client would retry a host that refuses connections until the timeout.
            settings.connectionPool.retryConnectionEstablishment = false
            // The queue of the loader limits the transfers, not the pool.
            settings.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = max(
                settings.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit, configuration.transferLimit
            )
            if let proxy = configuration.proxy { settings.proxy = proxy.setting }
            if !configuration.trustRoots.authorities.isSystem || configuration.allowsInvalidCertificates {
                var tls = settings.tlsConfiguration ?? .makeClientConfiguration()
                configuration.trustRoots.authorities.apply(to: &tls)
                if configuration.allowsInvalidCertificates { tls.certificateVerification = .none }
                settings.tlsConfiguration = tls
            }
            settings.guardResponses(pingTimeout: configuration.pingTimeout) { pipeline in
                if let codec = try? pipeline.handler(type: HTTP2FramePayloadToHTTP1ClientCodec.self) {
                    try pipeline.addHandler(ReuseMonitor(), position: .after(codec))
                } else {
                    let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPResponseDecoder>.self)
                    try pipeline.addHandler(HeadRepair(), position: .before(decoder))
                    try pipeline.addHandler(ReuseMonitor(), position: .after(decoder))
                }
                try ContentEncoding.addHandlers(to: pipeline)
            }
            return settings
        }
    }
#endif
