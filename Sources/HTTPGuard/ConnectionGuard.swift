#if HTTP || S3
    package import NIOCore
    package import NIOHTTP2
    import NIOSSL

    /// Closes connections of HTTP/2 whose server violates the protocol, pushes, has announced their end, or has fallen silent.
    ///
    /// swift-nio-http2 reports violations without closing the connection, and async-http-client closes it neither then nor
    /// after a GOAWAY without open streams: it would wait for the server. Of a pushed stream, which a server may open before
    /// it has acknowledged the settings that forbid it, async-http-client takes the end for that of a request, and ends the
    /// process. A connection whose server is gone, as after a laptop has slept, stays open for both, and each further request
    /// would time out. This handler stands behind that of swift-nio-http2.
    package final class ConnectionGuard: ChannelInboundHandler {
        package typealias InboundIn = HTTP2Frame
        package typealias InboundOut = HTTP2Frame
        package typealias OutboundOut = HTTP2Frame

        private enum State { case open, ending, closed }

        private let pingTimeout: TimeAmount?
        private var state = State.open
        /// The next look at a connection with open requests.
        private var check: Scheduled<Void>?
        /// Whether the server has sent a frame since the last look, and whether it was asked for one then.
        private var (hasSentFrame, isAsked) = (false, false)
        private var streamCount = 0
        private var hasResponded = false
        private var violatesProtocol = false

        /// Whether it has carried a response and broken no rule, so that a request that it loses may be sent again.
        package var isReused: Bool { hasResponded && !violatesProtocol }

        /// Whether it was closed because the server did not even answer a ping.
        package private(set) var isSilent = false

        /// Creates a guard that asks a server that sends nothing while requests are open after `pingTimeout`, if there is one,
        /// and gives it the same time to answer.
        init(pingTimeout: TimeAmount?) { self.pingTimeout = pingTimeout }

        package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            guard state != .closed else { return }
            hasSentFrame = true
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
                if check == nil {
                    (hasSentFrame, isAsked) = (false, false)
                    scheduleCheck(context)
                }
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

        package func channelInactive(context: ChannelHandlerContext) {
            state = .closed
            check?.cancel()
            context.fireChannelInactive()
        }

        private func scheduleCheck(_ context: ChannelHandlerContext) {
            check = pingTimeout.map { pingTimeout in
                context.eventLoop.assumeIsolated().scheduleTask(in: pingTimeout) { self.checkSilence(context) }
            }
        }

        private func checkSilence(_ context: ChannelHandlerContext) {
            check = nil
            guard state != .closed, streamCount > 0 else { return }
            if hasSentFrame {
                (hasSentFrame, isAsked) = (false, false)
            } else if isAsked {
                isSilent = true
                // Without TLS, which would wait for the farewell of the server.
                let tls = try? context.pipeline.syncOperations.context(handlerType: NIOSSLClientHandler.self)
                return close(tls ?? context)
            } else {
                isAsked = true
                let ping = HTTP2Frame.FramePayload.ping(HTTP2PingData(withInteger: 0), ack: false)
                context.writeAndFlush(wrapOutboundOut(HTTP2Frame(streamID: .rootStream, payload: ping)), promise: nil)
            }
            scheduleCheck(context)
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
