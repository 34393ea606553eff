#if HTTP
    import NIOCore
    import NIOPosix
    import Synchronization

    /// A proxy on 127.0.0.1 for the duration of a closure, which supports HTTP (`CONNECT`) and SOCKS 5.
    ///
    /// It connects each client to one port of 127.0.0.1, and not to the destination that the client names.
    public final class LoopbackProxy: Sendable {
        private let heads = Mutex<[String]>([])
        private let statusLine: String

        private init(statusLine: String) { self.statusLine = statusLine }

        /// The received requests: heads of `CONNECT` requests, or `SOCKS` and the bytes of the address in hexadecimal.
        public var requests: [String] { heads.withLock(\.self) }

        /// Runs `body` with a proxy to `port`, and the proxy's own port. `statusLine` is the status line of the responses to
        /// `CONNECT`.
        @discardableResult
        public static func serving<Result: Sendable>(
            to port: Int, statusLine: String = "HTTP/1.1 200 OK",
            _ body: @Sendable (LoopbackProxy, Int) async throws -> Result
        ) async throws -> Result {
            let proxy = LoopbackProxy(statusLine: statusLine)
            let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .childChannelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(Tunnel(port: port, proxy: proxy))
                    }
                }.bind(host: "127.0.0.1", port: 0).get()
            let result: Swift.Result<Result, any Error>
            do {
                result = .success(try await body(proxy, listener.localAddress?.port ?? 0))
            } catch {
                result = .failure(error)
            }
            try await listener.close()
            return try result.get()
        }

        /// Returns the response to `bytes`, and whether to connect then; `nil` if more bytes are needed.
        fileprivate func reply(to bytes: [UInt8]) -> (bytes: [UInt8], connects: Bool)? {
            let text = String(decoding: bytes, as: UTF8.self)
            if text.hasPrefix("CONNECT") {
                guard text.hasSuffix("\r\n\r\n") else { return nil }
                heads.withLock { $0.append(text) }
                return (Array("\(statusLine)\r\n\r\n".utf8), statusLine.contains(" 200 "))
            }
            // The second byte of a greeting is its number of methods; a request is longer than any greeting.
            guard bytes.count >= 3 else { return nil }
            if bytes.count == 2 + Int(bytes[1]) { return ([5, 0], false) }
            guard bytes.count >= 10 else { return nil }
            heads.withLock { $0.append("SOCKS " + bytes[3...].map { String($0, radix: 16) }.joined(separator: " ")) }
            return ([5, 0, 0, 1, 0, 0, 0, 0, 0, 0], true)
        }
    }

    /// The client side of a tunnel.
    private final class Tunnel: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        private let port: Int
        private let proxy: LoopbackProxy
        private var bytes: [UInt8] = []
        private var other: (any Channel)?

        init(port: Int, proxy: LoopbackProxy) {
            self.port = port
            self.proxy = proxy
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let buffer = unwrapInboundIn(data)
            if let other { return other.writeAndFlush(buffer, promise: nil) }
            bytes += buffer.readableBytesView
            guard let reply = proxy.reply(to: bytes) else { return }
            bytes = []
            let response = ByteBuffer(bytes: reply.bytes)
            guard reply.connects else { return context.writeAndFlush(wrapOutboundOut(response), promise: nil) }
            let client = context.channel
            ClientBootstrap(group: context.eventLoop)
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(Passage(to: client))
                    }
                }
                .connect(host: "127.0.0.1", port: port).assumeIsolated().whenComplete { result in
                    self.other = try? result.get()
                    client.writeAndFlush(response, promise: nil)
                }
        }

        func channelInactive(context: ChannelHandlerContext) { other?.close(promise: nil) }
    }

    /// The origin's side of a tunnel.
    private final class Passage: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        private let client: any Channel

        init(to client: any Channel) { self.client = client }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            client.writeAndFlush(unwrapInboundIn(data), promise: nil)
        }

        func channelInactive(context: ChannelHandlerContext) { client.close(promise: nil) }
    }
#endif
