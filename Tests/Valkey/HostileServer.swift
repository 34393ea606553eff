#if Valkey
    import NIOCore
    import NIOPosix

    @testable import DarkroomValkey

    /// A server on 127.0.0.1 for the duration of a closure, which answers with any bytes.
    enum HostileServer {
        /// The reaction of the server to each portion of bytes that it receives.
        struct Behaviour: Sendable {
            /// Whether `HELLO` is answered properly.
            var isPolite = true
            /// The answer to everything else.
            var bytes: [UInt8] = []
            /// Whether the connection is closed after the answer.
            var closes = false
        }

        /// Runs `body` with the configuration for a client of the server.
        static func serving<Result: Sendable>(
            _ behaviour: Behaviour, _ body: @Sendable (ValkeyConfiguration) async throws -> Result
        ) async throws -> Result {
            let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .childChannelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(Responder(behaviour))
                    }
                }.bind(host: "127.0.0.1", port: 0).get()
            let address = ValkeyAddress(host: "127.0.0.1", port: listener.localAddress?.port ?? 0)
            let result: Swift.Result<Result, any Error>
            do {
                result = .success(try await body(ValkeyConfiguration(address)))
            } catch {
                result = .failure(error)
            }
            try await listener.close()
            return try result.get()
        }

        private final class Responder: ChannelInboundHandler {
            typealias InboundIn = ByteBuffer
            typealias OutboundOut = ByteBuffer

            private let behaviour: Behaviour

            init(_ behaviour: Behaviour) { self.behaviour = behaviour }

            func channelRead(context: ChannelHandlerContext, data: NIOAny) {
                let text = String(buffer: unwrapInboundIn(data))
                if behaviour.isPolite, text.contains("HELLO") {
                    let answer = ByteBuffer(string: "%1\r\n$5\r\nproto\r\n:3\r\n")
                    return context.writeAndFlush(wrapOutboundOut(answer), promise: nil)
                }
                context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: behaviour.bytes)), promise: nil)
                if behaviour.closes { context.close(promise: nil) }
            }

            func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
        }
    }
#endif
