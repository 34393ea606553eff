#if HTTP
    import NIOCore
    import NIOHTTP1
    import NIOHTTPCompression

    /// Makes the decompressor of swift-nio-extras accept what other clients accept: the name `x-gzip`, `deflate` without the
    /// header of zlib, and encodings of empty bodies.
    ///
    /// The decompressor stands between two handlers. The first one turns raw deflate data into a zlib stream, for whose
    /// end the second one computes the checksum.
    enum ContentEncoding {
        /// Adds the handlers to a pipeline with a decompressor.
        static func addHandlers(to pipeline: ChannelPipeline.SynchronousOperations) throws {
            let decompressor = try pipeline.handler(type: NIOHTTPResponseDecompressor.self)
            let summer = ChecksumHandler()
            try pipeline.addHandler(EncodingHandler(summer), position: .before(decompressor))
            try pipeline.addHandler(summer, position: .after(decompressor))
        }
    }

    /// The handler in front of the decompressor.
    private final class EncodingHandler: ChannelInboundHandler {
        typealias InboundIn = HTTPClientResponsePart
        typealias InboundOut = HTTPClientResponsePart

        private enum State {
            /// Whether the body has a header of zlib is unknown.
            case deflate(first: ByteBuffer)
            case raw
            case other
        }

        private var state = State.other
        private let summer: ChecksumHandler

        init(_ summer: ChecksumHandler) { self.summer = summer }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            switch unwrapInboundIn(data) {
            case .head(let head):
                let known = head.withKnownEncoding
                state = known.encoding == "deflate" ? .deflate(first: ByteBuffer()) : .other
                context.fireChannelRead(wrapInboundOut(.head(known)))
            case .body(let buffer):
                guard case .deflate(var first) = state else { return context.fireChannelRead(data) }
                first.writeImmutableBuffer(buffer)
                state = .deflate(first: first)
                if first.readableBytes >= 2 { begin(first, context) }
            case .end:
                switch state {
                case .deflate(let first): begin(first, context)
                case .raw: context.fireChannelRead(wrapInboundOut(.body(ByteBuffer(integer: summer.sum))))
                case .other: break
                }
                state = .other
                context.fireChannelRead(data)
            }
        }

        private func begin(_ first: ByteBuffer, _ context: ChannelHandlerContext) {
            state = first.hasZlibHeader ? .other : .raw
            if case .raw = state {
                summer.start()
                context.fireChannelRead(wrapInboundOut(.body(ByteBuffer(bytes: [0x78, 0x01]))))
            }
            context.fireChannelRead(wrapInboundOut(.body(first)))
        }
    }

    /// The handler behind the decompressor, which computes Adler-32 (RFC 1950) where it is needed.
    private final class ChecksumHandler: ChannelInboundHandler {
        typealias InboundIn = HTTPClientResponsePart
        typealias InboundOut = HTTPClientResponsePart

        private var parts: (low: UInt32, high: UInt32)?

        /// The checksum of the bytes since the start.
        var sum: UInt32 { parts.map { $0.high << 16 | $0.low } ?? 1 }

        func start() { parts = (1, 0) }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            switch unwrapInboundIn(data) {
            case .body(let buffer):
                if var (low, high) = parts {
                    for byte in buffer.readableBytesView {
                        low = (low + UInt32(byte)) % 65_521
                        high = (high + low) % 65_521
                    }
                    parts = (low, high)
                }
            case .head, .end: parts = nil
            }
            context.fireChannelRead(data)
        }
    }

    extension HTTPResponseHead {
        /// The encoding of the body in lower case; `nil` if there is none, or more than one.
        fileprivate var encoding: String? {
            let encodings = headers[canonicalForm: "content-encoding"]
            return encodings.count == 1 ? encodings.first?.lowercased() : nil
        }

        /// A copy whose encoding the decompressor knows, and with none if there is no body.
        fileprivate var withKnownEncoding: HTTPResponseHead {
            var head = self
            if status.code < 200 || status == .noContent || status == .notModified
                || headers["content-length"].first == "0"
            {
                head.headers.remove(name: "content-encoding")
            } else if encoding == "x-gzip" {
                head.headers.replaceOrAdd(name: "content-encoding", value: "gzip")
            }
            return head
        }
    }

    extension ByteBuffer {
        /// Whether this begins with a header of zlib (RFC 1950, section 2.2).
        fileprivate var hasZlibHeader: Bool {
            guard let header = getInteger(at: readerIndex, as: UInt16.self) else { return false }
            return header >> 8 & 0x0F == 8 && header >> 12 <= 7 && header % 31 == 0
        }
    }
#endif
