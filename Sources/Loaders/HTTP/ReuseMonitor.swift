#if HTTP
    import DarkroomPlatform
    import NIOCore
    import NIOHTTP1
    import NIOSSL

    /// Reports the end of a reused connection of HTTP/1.1 before any response to a request as if the connection had been closed before
    /// that was sent.
    ///
    /// An origin closes connections that are idle, and may do so while a request is on its way. A request that is safe may then
    /// be sent again, as browsers do (RFC 9112, section 9.3.1).
    final class ReuseMonitor: ChannelDuplexHandler {
        typealias InboundIn = HTTPClientResponsePart
        typealias OutboundIn = HTTPClientRequestPart

        private var hasResponded = false
        private var awaitsResponse = false

        func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
            if case .head = unwrapOutboundIn(data) { awaitsResponse = true }
            context.write(data, promise: promise)
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            (hasResponded, awaitsResponse) = (true, false)
            context.fireChannelRead(data)
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            context.fireErrorCaught(error.isConnectionEnd ? end() ?? error : error)
        }

        func channelInactive(context: ChannelHandlerContext) {
            if let end = end() { context.fireErrorCaught(end) }
            context.fireChannelInactive()
        }

        /// Returns the error of a connection that ends now; `nil` if it is none of a reused one.
        private func end() -> ChannelError? {
            guard hasResponded, awaitsResponse else { return nil }
            awaitsResponse = false
            return .ioOnClosedChannel
        }
    }

    extension Error {
        /// Whether the peer has ended the connection.
        fileprivate var isConnectionEnd: Bool {
            switch self {
            case let error as IOError: [ECONNRESET, EPIPE].contains(error.errnoCode)
            case let error as NIOSSLError: error == .uncleanShutdown
            default: false
            }
        }
    }
#endif
