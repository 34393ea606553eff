import HTTPTypes
import NIOCore

/// Replies to requests that are the same, byte for byte, as an earlier one whose file was in memory, if it still is.
///
/// The same client requests an image with the same header each time, and so does a proxy that forwards few fields.
/// Parsing such a request, and encoding the response to it, takes half of the time of a hit. A request is compared
/// only if it arrives alone and complete while no byte of an earlier one is outstanding, of its head or of its body, so
/// that no other bytes can be taken for it. All others are passed on to be parsed.
final class RepeatedRequestHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// The maximum size of a head that is remembered.
    private static let byteLimit = 2048

    private let routes: ThumbnailRoutes
    private let serverName: String
    private let hits: MemoryHitHandler
    private let deadlines: ConnectionDeadlines
    /// Whether all bytes that were passed on belong to complete requests.
    private var isBetweenRequests = true

    /// Creates a handler of the same connection as `hits` and `deadlines`, which see all other requests.
    init(_ routes: ThumbnailRoutes, serverName: String, hits: MemoryHitHandler, deadlines: ConnectionDeadlines) {
        self.routes = routes
        self.serverName = serverName
        self.hits = hits
        self.deadlines = deadlines
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let bytes = unwrapInboundIn(data)
        guard isBetweenRequests, hits.isIdle, deadlines.isAdmitted, !deadlines.isWriting, context.channel.isWritable,
            bytes.readableBytes <= Self.byteLimit, let request = routes.repeatedRequest(bytes),
            let reply = routes.replyFromMemory(to: request)
        else { return pass(bytes, in: context) }
        let message = reply.message(
            for: request.head.method, server: serverName, allocator: context.channel.allocator)
        context.writeAndFlush(wrapOutboundOut(message), promise: nil)
        deadlines.didRespond(in: context)
    }

    /// Passes `bytes` on, and remembers them if they are one request whose file was in memory.
    private func pass(_ bytes: ByteBuffer, in context: ChannelHandlerContext) {
        let (wasBetweenRequests, headCount) = (isBetweenRequests, hits.headCount)
        isBetweenRequests = false
        context.fireChannelRead(wrapInboundOut(bytes))
        // The decoder has found the end of one head in the last of these bytes, and no body follows.
        guard hits.headCount == headCount + 1, !hits.isReceiving, bytes.readableBytes <= Self.byteLimit,
            bytes.isOneHead
        else { return }
        isBetweenRequests = true
        if wasBetweenRequests, let request = hits.latest { routes.remember(request, for: bytes) }
    }
}

extension ByteBuffer {
    /// Whether these bytes may be one head of HTTP/1.1, and nothing else: they end with the first empty line.
    fileprivate var isOneHead: Bool {
        let (bytes, carriageReturn) = (readableBytesView, UInt8(ascii: "\r"))
        guard bytes.suffix(4).elementsEqual("\r\n\r\n".utf8) else { return false }
        // Before the last line, which is empty, no line may be.
        var rest = bytes.dropLast(2)
        while let end = rest.firstIndex(of: carriageReturn) {
            rest = rest[end...]
            guard !rest.starts(with: "\r\n\r".utf8) else { return false }
            rest = rest.dropFirst()
        }
        return bytes.prefix { $0 != carriageReturn }.suffix(9).elementsEqual(" HTTP/1.1".utf8)
    }
}
