#if HTTP || S3
    package import AsyncHTTPClient
    package import NIOCore
    import NIOHTTP1
    import NIOHTTP2

    extension HTTPClient.Configuration {
        private typealias Initializer = @Sendable (any Channel) -> EventLoopFuture<Void>

        /// Makes clients with these settings close connections whose responses would end the process.
        ///
        /// Initializers that are set already run before, and `addHandlers` afterwards. A connection of HTTP/2 whose server sends
        /// nothing while requests are open is asked after `pingTimeout`, and closed if there is no answer within the same time.
        package mutating func guardResponses(
            pingTimeout: Duration? = .seconds(5),
            then addHandlers: @escaping @Sendable (ChannelPipeline.SynchronousOperations) throws -> Void = { _ in }
        ) {
            http1_1ConnectionDebugInitializer = Self.initializer(http1_1ConnectionDebugInitializer) { pipeline in
                let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPResponseDecoder>.self)
                let bytes = ByteGuard()
                try pipeline.addHandler(bytes, position: .before(decoder))
                try pipeline.addHandler(ResponseGuard(bytes), position: .after(decoder))
                try addHandlers(pipeline)
            }
            http2ConnectionDebugInitializer = Self.initializer(http2ConnectionDebugInitializer) { pipeline in
                let decoder = try pipeline.handler(type: NIOHTTP2Handler.self)
                let guarding = ConnectionGuard(pingTimeout: pingTimeout.map { TimeAmount($0) })
                try pipeline.addHandler(guarding, position: .after(decoder))
            }
            http2StreamChannelDebugInitializer = Self.initializer(http2StreamChannelDebugInitializer) { pipeline in
                try pipeline.addHandler(StreamGuard(), position: .first)
                let codec = try pipeline.handler(type: HTTP2FramePayloadToHTTP1ClientCodec.self)
                try pipeline.addHandler(ResponseGuard(), position: .after(codec))
                try addHandlers(pipeline)
            }
        }

        private static func initializer(
            _ first: Initializer?,
            then addHandlers: @escaping @Sendable (ChannelPipeline.SynchronousOperations) throws -> Void
        ) -> Initializer {
            let second: Initializer = { channel in
                channel.eventLoop.makeCompletedFuture { try addHandlers(channel.pipeline.syncOperations) }
            }
            guard let first else { return second }
            return { channel in first(channel).hop(to: channel.eventLoop).flatMap { second(channel) } }
        }
    }
#endif
