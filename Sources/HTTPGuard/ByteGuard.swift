#if HTTP || S3
    import NIOCore

    /// Closes a connection whose server sends bytes without end of which the decoder makes no part of a response.
    ///
    /// The decoder of swift-nio limits fields, but neither the first line of a head nor the extension of a chunk. This handler
    /// stands in front of it, and `ResponseGuard` behind it.
    final class ByteGuard: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias InboundOut = ByteBuffer

        /// The number of bytes that may arrive between two parts: more than a head has that curl or a browser accepts.
        private static let byteLimit = 512 << 10

        private var byteCount = 0
        private var isRefused = false

        /// Notes that the decoder has made a part of the bytes so far.
        func notePart() { byteCount = 0 }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            guard !isRefused else { return }
            byteCount += unwrapInboundIn(data).readableBytes
            context.fireChannelRead(data)
            guard byteCount > Self.byteLimit else { return }
            isRefused = true
            context.fireErrorCaught(RefusedResponse.part(limit: Self.byteLimit))
            context.close(promise: nil)
        }
    }
#endif
