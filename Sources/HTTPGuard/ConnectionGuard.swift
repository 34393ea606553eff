#if HTTP || S3
    package import NIOCore
    package import NIOHTTP2

    /// Closes connections of HTTP/2 whose server violates the protocol, pushes, or has announced their end.
    ///
    /// swift-nio-http2 reports violations without closing the connection, and async-http-client closes it neither then nor
    /// after a GOAWAY without open streams: it would wait for the server. Of a pushed stream, which a server may open before
    /// it has acknowledged the settings that forbid it, async-http-client takes the end for that of a request, and ends the
    /// process. This handler stands behind that of swift-nio-http2.
    package final class ConnectionGuard: ChannelInboundHandler {
        package typealias InboundIn = HTTP2Frame
        package typealias InboundOut = HTTP2Frame

        private enum State { case open, ending, closed }

        private var state = State.open
        private var streamCount = 0
        private var hasResponded = false
        private var violatesProtocol = false

        /// Whether it has carried a response and broken no rule, so that a request that it loses may be sent again.
        package var isReused: Bool { hasResponded && !violatesProtocol }

        package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            guard state != .closed else { return }
            switch unwrapInboundIn(data).payload {
            case .pushPromise:
                violatesProtocol = true
                refuse(context)
            case .goAway:
                state = .ending
                context.fireChannelRead(data)
                if streamCount <= 0 { close(context) }
            case .headers:
                hasResponded = true
                context.fireChannelRead(data)
            default: context.fireChannelRead(data)
            }
        }

        package func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            switch event {
            case let event as NIOHTTP2StreamCreatedEvent:
                guard event.streamID.isRequest else { return }
                streamCount += 1
            case let event as StreamClosedEvent:
                guard event.streamID.isRequest else { return }
                streamCount -= 1
            default: break
            }
            context.fireUserInboundEventTriggered(event)
            if state == .ending, streamCount <= 0 { close(context) }
        }

        package func errorCaught(context: ChannelHandlerContext, error: any Error) {
            if !error.isConnectionEnd { violatesProtocol = true }
            context.fireErrorCaught(error)
            refuse(context)
        }

        /// Closes the connection, and keeps the pool from using it meanwhile.
        private func refuse(_ context: ChannelHandlerContext) {
            if state == .open {
                let end = HTTP2Frame.FramePayload.goAway(
                    lastStreamID: .maxID, errorCode: .protocolError, opaqueData: nil)
                context.fireChannelRead(wrapInboundOut(HTTP2Frame(streamID: .rootStream, payload: end)))
            }
            close(context)
        }

        private func close(_ context: ChannelHandlerContext) {
            guard state != .closed else { return }
            state = .closed
            context.close(promise: nil)
        }
    }

    extension HTTP2StreamID {
        /// Whether the client opened the stream (RFC 9113, section 5.1.1).
        fileprivate var isRequest: Bool { Int(self) % 2 == 1 }
    }
#endif
