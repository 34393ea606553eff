#if HTTP || S3
    import NIOCore
    import NIOHPACK
    import NIOHTTP2

    /// Refuses statuses on streams of HTTP/2 that are not three digits, and 101, which HTTP/2 does not have.
    ///
    /// The codec of swift-nio-http2 ends the process at an empty and at a negative status, so this handler stands in front
    /// of it.
    final class StreamGuard: ChannelInboundHandler {
        typealias InboundIn = HTTP2Frame.FramePayload
        typealias InboundOut = HTTP2Frame.FramePayload

        private var isRefused = false

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            guard !isRefused else { return }
            guard case .headers(let block) = unwrapInboundIn(data),
                let status = block.headers[":status"].first(where: { !$0.isStatus })
            else { return context.fireChannelRead(data) }
            isRefused = true
            context.fireErrorCaught(RefusedResponse.status(status))
            context.close(promise: nil)
        }
    }

    extension String {
        /// Whether this is a status of HTTP/2 (RFC 9113, sections 8.3.2 and 8.6).
        fileprivate var isStatus: Bool {
            let digits = Array(utf8)
            return digits.count == 3 && digits[0] != UInt8(ascii: "0") && self != "101"
                && digits.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        }
    }
#endif
