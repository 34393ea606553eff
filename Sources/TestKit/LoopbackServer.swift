#if HTTP
    import DarkroomCore
    public import DarkroomPlatform
    import NIOCore
    import NIOHTTP1
    import NIOPosix
    import NIOSSL
    import Synchronization

    /// A real HTTP server on 127.0.0.1 for the duration of a closure. The handlers of its routes may violate the
    /// protocol.
    ///
    /// It is part of the test kit if the package is built with the trait `HTTP`, which is enabled by default.
    public final class LoopbackServer: Sendable {
        /// Handles one request by means of a `LoopbackReply`. If it throws, the connection is closed.
        public typealias Handler = @Sendable (Request, LoopbackReply) async throws -> Void

        typealias Connection = NIOAsyncChannel<HTTPServerRequestPart, HTTPServerResponsePart>

        /// A received request.
        public struct Request: Sendable {
            /// The method, and the path with the query.
            public let method, path: String
            /// The header fields, with names in lower case.
            public let headers: [String: String]
        }

        private struct State {
            var port = 0
            var requests: [Request] = []
            var byteCounts: [String: Int] = [:]
            var connections: [Task<Void, Never>] = []
            var isOver = false
        }

        private let routes: [String: Handler]
        private let state = Mutex(State())

        private init(routes: [String: Handler]) { self.routes = routes }

        /// Serves `routes`, by path without query, while `body` runs; other paths get status 404. With `isSecure` the
        /// server uses the `LoopbackIdentity`, and its URLs require the scheme `https`.
        @discardableResult
        public static func serving<Result: Sendable>(
            _ routes: [String: Handler], isSecure: Bool = false,
            _ body: @Sendable (LoopbackServer) async throws -> Result
        ) async throws -> Result {
            let server = LoopbackServer(routes: routes)
            let tls = isSecure ? try NIOSSLContext(configuration: .loopback()) : nil
            return try await server.listening(body) { channel in
                channel.eventLoop.makeCompletedFuture {
                    if let tls { try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: tls)) }
                    try channel.pipeline.syncOperations.configureHTTPServerPipeline(withPipeliningAssistance: false)
                    server.accept(try Connection(wrappingChannelSynchronously: channel))
                }
            }
        }

        /// Runs `body` with the URL of a server that accepts connections and never sends a byte.
        @discardableResult
        public static func silent<Result: Sendable>(
            scheme: String, _ body: @Sendable (URL) async throws -> Result
        ) async throws -> Result {
            try await LoopbackServer(routes: [:]).listening { try await body($0.url("/", scheme: scheme)) }
        }

        /// Returns the URL of `path` on this server.
        public func url(_ path: String, scheme: String = "http", host: String = "127.0.0.1") -> URL {
            URL(string: "\(scheme)://\(host):\(state.withLock(\.port))\(path)")!
        }

        /// All requests so far, in order of arrival.
        public var requests: [Request] { state.withLock(\.requests) }

        /// Returns the number of body bytes that the system has accepted for `path`.
        public func byteCount(writtenTo path: String) -> Int { state.withLock { $0.byteCounts[path] ?? 0 } }

        private func listening<Result>(
            _ body: (LoopbackServer) async throws -> Result,
            initializer: @escaping @Sendable (any Channel) -> EventLoopFuture<Void> = {
                $0.eventLoop.makeSucceededVoidFuture()
            }
        ) async throws -> Result {
            let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .childChannelInitializer(initializer).bind(host: "127.0.0.1", port: 0).get()
            state.withLock { $0.port = listener.localAddress?.port ?? 0 }
            do {
                let result = try await body(self)
                try await end(listener)
                return result
            } catch {
                try await end(listener)
                throw error
            }
        }

        private func end(_ listener: any Channel) async throws {
            try await listener.close()
            let connections = state.withLock { state in
                state.isOver = true
                return state.connections
            }
            for connection in connections { connection.cancel() }
            for connection in connections { await connection.value }
        }

        // NIO traps if a queued connection is never served, so connections are never put into a queue.
        private func accept(_ connection: Connection) {
            state.withLock { state in
                // The client decides whether the end of a connection is an error.
                let task = Task { [self] in _ = try? await serve(connection) }
                state.connections.append(task)
                if state.isOver { task.cancel() }
            }
        }

        private func serve(_ connection: Connection) async throws {
            try await connection.executeThenClose { parts, _ in
                var head: HTTPRequestHead?
                for try await part in parts {
                    if case .head(let new) = part { head = new }
                    guard case .end = part, let head else { continue }
                    let reply = LoopbackReply(channel: connection.channel) { [self] count in
                        state.withLock { $0.byteCounts[head.uri, default: 0] += count }
                        StateChanges.notify()
                    }
                    try await respond(head, reply)
                }
            }
        }

        private func respond(_ head: HTTPRequestHead, _ reply: LoopbackReply) async throws {
            var headers: [String: String] = [:]
            for (name, value) in head.headers { headers[name.lowercased()] = value }
            let request = Request(method: head.method.rawValue, path: head.uri, headers: headers)
            state.withLock { $0.requests.append(request) }
            StateChanges.notify()
            guard let handler = routes[String(head.uri.prefix { $0 != "?" })] else { return try await reply.send(404) }
            try await handler(request, reply)
        }
    }

    extension TLSConfiguration {
        /// The TLS configuration of a server with the `LoopbackIdentity`.
        fileprivate static func loopback() throws -> TLSConfiguration {
            .makeServerConfiguration(
                certificateChain: try NIOSSLCertificate.fromPEMBytes(Array(LoopbackIdentity.certificate.utf8))
                    .map { .certificate($0) },
                privateKey: .privateKey(try NIOSSLPrivateKey(bytes: Array(LoopbackIdentity.key.utf8), format: .pem)))
        }
    }
#endif
