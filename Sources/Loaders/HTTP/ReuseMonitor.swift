#if HTTP
    import AsyncHTTPClient
    import DarkroomHTTPGuard
    import NIOCore
    import NIOHTTP1

    /// Reports the end of a reused connection before any response to a request as if it had been closed before that was sent.
    ///
    /// An origin closes connections that are idle, and may do so while a request is on its way. A request that is safe may then
    /// be sent again, as browsers do (RFC 9112, section 9.3.1; RFC 9113, section 8.7). Over HTTP/2, each stream has a monitor.
    final class ReuseMonitor: ChannelDuplexHandler {
        typealias InboundIn = HTTPClientResponsePart
        typealias OutboundIn = HTTPClientRequestPart

        /// The connection of a stream of HTTP/2.
        private var connection: ConnectionGuard?
        private var hasResponded = false
        private var awaitsResponse = false

        func handlerAdded(context: ChannelHandlerContext) {
            connection = try? context.channel.parent?.pipeline.syncOperations.handler(type: ConnectionGuard.self)
        }

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

        /// Returns the error of a connection that ends now; `nil` if it is none of a reused or silent one.
        private func end() -> (any Error)? {
            guard awaitsResponse else { return nil }
            awaitsResponse = false
            if connection?.isReused ?? hasResponded { return ChannelError.ioOnClosedChannel }
            return connection?.isSilent == true ? HTTPClientError.readTimeout : nil
        }
    }
#endif
