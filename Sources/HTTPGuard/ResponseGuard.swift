#if HTTP || S3
    import NIOCore
    import NIOHTTP1

    /// Passes on responses only in the form that async-http-client expects, and closes the connection of any other.
    ///
    /// async-http-client ends the process if the parts of a response contradict its state: if a body follows a status
    /// below 200, which it ignores, or one final head another. This handler stands behind the decoder, so that it is the
    /// only one of the two to see such parts.
    final class ResponseGuard: ChannelInboundHandler {
        typealias InboundIn = HTTPClientResponsePart
        typealias InboundOut = HTTPClientResponsePart

        private enum State { case waiting, receiving, refused }

        /// The number of informational responses that may precede a final one.
        private static let informationalLimit = 100

        /// Counts the bytes that are no part of a response yet.
        private let bytes: ByteGuard?
        private var state = State.waiting
        private var informationalCount = 0

        init(_ bytes: ByteGuard? = nil) { self.bytes = bytes }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            bytes?.notePart()
            guard state != .refused else { return }
            do throws(RefusedResponse) {
                try check(unwrapInboundIn(data))
                context.fireChannelRead(data)
            } catch {
                state = .refused
                context.fireErrorCaught(error)
                context.close(promise: nil)
            }
        }

        private func check(_ part: HTTPClientResponsePart) throws(RefusedResponse) {
            switch (part, state) {
            case (.head(let head), .waiting): try check(head)
            case (.body, .receiving): break
            case (.end, .receiving): state = .waiting
            default: throw .order
            }
        }

        private func check(_ head: HTTPResponseHead) throws(RefusedResponse) {
            let status = head.status.code
            guard (100...999).contains(status) else { throw .status("\(status)") }
            if status < 200, head.status != .switchingProtocols {
                informationalCount += 1
                guard informationalCount <= Self.informationalLimit else {
                    throw .informational(limit: Self.informationalLimit)
                }
            } else {
                (state, informationalCount) = (.receiving, 0)
            }
        }
    }
#endif
