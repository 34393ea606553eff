#if HTTP
    import AsyncHTTPClient
    import NIOCore
    import NIOHTTP1
    import NIOHTTPCompression
    import Synchronization

    #if canImport(FoundationEssentials)
        import FoundationEssentials
    #else
        import Foundation
    #endif

    /// Sees the requests that go out on connections, new ones and kept ones, as the HTTP client does not say when one does.
    final class ConnectionWatch: Sendable {
        private struct Waiter {
            let id: UInt64
            let host, path: String
            let tell: @Sendable () -> Void
        }

        private struct State {
            var waiters: [Waiter] = []
            var lastID: UInt64 = 0
        }

        private let state = Mutex(State())

        /// Has the connections of a client with `settings` report here, besides what these do already.
        func install(in settings: inout HTTPClient.Configuration) {
            let (older1, older2) = (
                settings.http1_1ConnectionDebugInitializer, settings.http2StreamChannelDebugInitializer
            )
            settings.http1_1ConnectionDebugInitializer = { [self] channel in observe(channel, after: older1) }
            settings.http2StreamChannelDebugInitializer = { [self] channel in observe(channel, after: older2) }
        }

        /// Runs `body`, which sends `message`, and calls `tell` when it goes out.
        func telling<Value>(
            _ tell: @escaping @Sendable () -> Void, of message: HTTPClientRequest, _ body: () async throws -> Value
        ) async throws -> Value {
            let id = expect(message, tell)
            defer { state.withLock { $0.waiters.removeAll { $0.id == id } } }
            return try await body()
        }

        private func expect(_ message: HTTPClientRequest, _ tell: @escaping @Sendable () -> Void) -> UInt64? {
            guard let url = URL(string: message.url), let host = url.host,
                let components = URLComponents(url: url, resolvingAgainstBaseURL: true)
            else { return nil }
            let path = components.percentEncodedPath.isEmpty ? "/" : components.percentEncodedPath
            return state.withLock { state in
                state.lastID += 1
                state.waiters.append(
                    Waiter(
                        id: state.lastID, host: message.headers.first(name: "host") ?? host,
                        path: path + (components.percentEncodedQuery.map { "?\($0)" } ?? ""), tell: tell))
                return state.lastID
            }
        }

        private func observe(
            _ channel: any Channel, after older: (@Sendable (any Channel) -> EventLoopFuture<Void>)?
        ) -> EventLoopFuture<Void> {
            let older = older?(channel) ?? channel.eventLoop.makeSucceededVoidFuture()
            return older.flatMapThrowing { [self] in
                let pipeline = channel.pipeline.syncOperations
                // The place where a request is a head, on connections of both versions of HTTP.
                guard let neighbour = try? pipeline.handler(type: NIOHTTPResponseDecompressor.self) else { return }
                try pipeline.addHandler(RequestObserver(watch: self), position: .before(neighbour))
            }
        }

        /// Tells the one who waited longest for a request like this. Two that are alike may be told in the other's place.
        fileprivate func note(_ head: HTTPRequestHead) {
            let host = head.headers.first(name: "host") ?? ""
            let waiter = state.withLock { state in
                state.waiters.firstIndex { $0.path == head.uri && host.contains($0.host) }
                    .map { state.waiters.remove(at: $0) }
            }
            waiter?.tell()
        }
    }

    private final class RequestObserver: ChannelOutboundHandler {
        typealias OutboundIn = HTTPClientRequestPart
        typealias OutboundOut = HTTPClientRequestPart

        private let watch: ConnectionWatch

        init(watch: ConnectionWatch) { self.watch = watch }

        func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
            if case .head(let head) = unwrapOutboundIn(data) { watch.note(head) }
            context.write(data, promise: promise)
        }
    }
#endif
