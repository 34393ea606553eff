#if HTTP
    import DarkroomPlatform
    import DarkroomTestKit
    import NIOCore
    import NIOPosix
    import NIOSSL
    import Synchronization

    /// A server on 127.0.0.1 for the duration of a closure, which answers with any bytes.
    public enum ScriptedPeer {
        /// The next step of the server on a connection.
        public struct Answer: Sendable {
            /// The bytes that it sends, each portion in a write of its own.
            public var portions: [[UInt8]]
            /// Whether it closes the connection then.
            public var closes: Bool
            /// Whether it then resets the connection instead, so that the client may lose what it has not read.
            public var resets: Bool
            /// Whether nothing that is sent to it arrives any more then, as if its network were gone.
            public var vanishes: Bool

            /// Creates an answer.
            public init(
                _ portions: [[UInt8]] = [], closes: Bool = false, resets: Bool = false, vanishes: Bool = false
            ) {
                self.portions = portions
                self.closes = closes
                self.resets = resets
                self.vanishes = vanishes
            }
        }

        /// Returns the answer to the bytes that have just arrived on a connection; at its beginning, to none.
        public typealias Script = (_ received: [UInt8]) -> Answer

        /// Runs `body` with the port of the server. Each connection follows a script of its own.
        ///
        /// - Parameters:
        ///   - protocols: What connections offer with ALPN, one after the other in turn; with none they do not use TLS.
        ///   - makeScript: Returns the script of the connection that offers the protocol.
        @discardableResult
        public static func serving<Result: Sendable>(
            protocols: [String] = [], _ makeScript: @escaping @Sendable (_ offered: String) -> Script,
            _ body: @Sendable (_ port: Int) async throws -> Result
        ) async throws -> Result {
            let contexts = try protocols.map { try NIOSSLContext(configuration: .peer(protocols: [$0])) }
            let count = ConnectionCount()
            let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .childChannelInitializer { channel in
                    let number = count.next()
                    return channel.eventLoop.makeCompletedFuture {
                        var offered = ""
                        if !contexts.isEmpty {
                            offered = protocols[number % protocols.count]
                            let tls = NIOSSLServerHandler(context: contexts[number % contexts.count])
                            try channel.pipeline.syncOperations.addHandler(tls)
                        }
                        try channel.pipeline.syncOperations.addHandler(Follower(makeScript(offered)))
                    }
                }.bind(host: "127.0.0.1", port: 0).get()
            let result: Swift.Result<Result, any Error>
            do {
                result = .success(try await body(listener.localAddress?.port ?? 0))
            } catch {
                result = .failure(error)
            }
            try await listener.close()
            return try result.get()
        }

        /// Runs `body` with the port of a server that answers every request with `response` and `rest`, and then closes
        /// the connection.
        @discardableResult
        public static func serving<Result: Sendable>(
            _ response: String, rest: [UInt8] = [], _ body: @Sendable (_ port: Int) async throws -> Result
        ) async throws -> Result {
            let answer = Answer([Array(response.utf8) + rest], closes: true)
            return try await serving({ _ in { $0.isEmpty ? Answer() : answer } }) { try await body($0) }
        }
    }

    private final class ConnectionCount: Sendable {
        private let count = Atomic(0)

        func next() -> Int { count.add(1, ordering: .relaxed).oldValue }
    }

    private final class Follower: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        private let script: ScriptedPeer.Script

        init(_ script: @escaping ScriptedPeer.Script) { self.script = script }

        func channelActive(context: ChannelHandlerContext) { answer([], context) }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            answer(Array(unwrapInboundIn(data).readableBytesView), context)
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

        private func answer(_ received: [UInt8], _ context: ChannelHandlerContext) {
            let answer = script(received)
            for portion in answer.portions {
                context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: portion)), promise: nil)
            }
            #if os(Linux)
                if answer.vanishes { vanish(context) }
            #endif
            if answer.resets { return reset(context) }
            if answer.closes { context.close(promise: nil) }
        }

        /// Closes the connection without a farewell, as TLS has.
        private func reset(_ context: ChannelHandlerContext) {
            // With a linger time of zero, closing resets.
            let linger = linger(l_onoff: 1, l_linger: 0)
            (context.channel as? any SocketOptionProvider)?.setSoLinger(linger).whenFailure { _ in }
            let tls = try? context.pipeline.syncOperations.context(handlerType: NIOSSLServerHandler.self)
            (tls ?? context).close(promise: nil)
        }
    }

    #if os(Linux)
        extension Follower {
            /// Has the kernel drop all packets that arrive, without an acknowledgement.
            private func vanish(_ context: ChannelHandlerContext) {
                // An instruction of a classic BPF filter, `BPF_RET` of 0 bytes, and a program of it: `sock_filter` and `sock_fprog`
                // of <linux/filter.h>, which Swift does not import.
                let instruction: (UInt16, UInt8, UInt8, UInt32) = (0x06, 0, 0, 0)
                let memory = UnsafeMutablePointer<(UInt16, UInt8, UInt8, UInt32)>.allocate(capacity: 1)
                unsafe memory.initialize(to: instruction)
                let program = (UInt64(1), UInt64(UInt(bitPattern: memory)))
                (context.channel as? any SocketOptionProvider)?
                    .unsafeSetSocketOption(level: .socket, name: .init(rawValue: SO_ATTACH_FILTER), value: program)
                    .assumeIsolated().whenComplete { _ in unsafe memory.deallocate() }
            }
        }
    #endif

    extension TLSConfiguration {
        fileprivate static func peer(protocols: [String]) throws -> TLSConfiguration {
            var configuration = TLSConfiguration.makeServerConfiguration(
                certificateChain: try NIOSSLCertificate.fromPEMBytes(Array(LoopbackIdentity.certificate.utf8))
                    .map { .certificate($0) },
                privateKey: .privateKey(try NIOSSLPrivateKey(bytes: Array(LoopbackIdentity.key.utf8), format: .pem)))
            configuration.applicationProtocols = protocols
            return configuration
        }
    }
#endif
