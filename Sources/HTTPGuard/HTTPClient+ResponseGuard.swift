#if HTTP || S3
    package import AsyncHTTPClient
    import DarkroomPlatform
    package import NIOCore
    import NIOHTTP1
    import NIOHTTP2

    extension HTTPClient.Configuration {
        private typealias Initializer = @Sendable (any Channel) -> EventLoopFuture<Void>

        /// Makes clients with these settings close connections whose responses would end the process.
        ///
        /// Initializers that are set already run before, and `addHandlers` afterwards. A connection of HTTP/2 whose server sends
        /// nothing while requests are open is asked after `pingTimeout`, and closed if there is no answer within the same time.
        /// On Linux, so is each connection over which nothing arrives at the server any more.
        package mutating func guardResponses(
            pingTimeout: Duration? = .seconds(5),
            then addHandlers: @escaping @Sendable (ChannelPipeline.SynchronousOperations) throws -> Void = { _ in }
        ) {
            http1_1ConnectionDebugInitializer = Self.initializer(
                http1_1ConnectionDebugInitializer, pingTimeout
            ) { pipeline in
                let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPResponseDecoder>.self)
                let bytes = ByteGuard()
                try pipeline.addHandler(bytes, position: .before(decoder))
                try pipeline.addHandler(ResponseGuard(bytes), position: .after(decoder))
                try addHandlers(pipeline)
            }
            http2ConnectionDebugInitializer = Self.initializer(
                http2ConnectionDebugInitializer, pingTimeout
            ) { pipeline in
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
            _ first: Initializer?, _ pingTimeout: Duration? = nil,
            then addHandlers: @escaping @Sendable (ChannelPipeline.SynchronousOperations) throws -> Void
        ) -> Initializer {
            let second: Initializer = { channel in
                pingTimeout.map { channel.limitAcknowledgement(to: $0 * 2) }
                return channel.eventLoop.makeCompletedFuture { try addHandlers(channel.pipeline.syncOperations) }
            }
            guard let first else { return second }
            return { channel in first(channel).hop(to: channel.eventLoop).flatMap { second(channel) } }
        }
    }

    extension Channel {
        /// Has Linux close the connection if the peer does not acknowledge what was sent within `duration` (RFC 5482).
        fileprivate func limitAcknowledgement(to duration: Duration) {
            #if os(Linux)
                let milliseconds = CUnsignedInt(clamping: TimeAmount(duration).nanoseconds / 1_000_000)
                (self as? any SocketOptionProvider)?
                    .unsafeSetSocketOption(level: .tcp, name: .init(rawValue: TCP_USER_TIMEOUT), value: milliseconds)
                    .whenFailure { _ in }
            #endif
        }
    }
#endif
