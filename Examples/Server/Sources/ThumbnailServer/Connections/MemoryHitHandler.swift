import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Replies to requests whose file is in memory on the event loop of their connection, as soon as they arrive.
///
/// Hummingbird passes a request to a task on another thread, and its response back, which takes longer than finding the
/// file and writing it. All other requests are passed on, as are those that arrive while the response to an earlier one is
/// pending, or while the client does not read, so that responses keep their order and do not pile up.
final class MemoryHitHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private let routes: ThumbnailRoutes
    private let serverName: String
    /// A request without a body whose end has not arrived.
    private var held: HTTPRequest?
    /// The number of requests passed on without a complete response.
    private var passedCount = 0
    private var hasWritten = false

    /// Creates a handler of one connection. `serverName` is the value of the field `Server`.
    init(_ routes: ThumbnailRoutes, serverName: String) {
        self.routes = routes
        self.serverName = serverName
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch (unwrapInboundIn(data), held) {
        case (.head(let head), nil) where passedCount == 0 && head.hasNeitherBodyNorConnectionOptions:
            held = head
        case (.end(nil), let head?):
            held = nil
            if context.channel.isWritable, let reply = routes.replyFromMemory(to: head) {
                write(reply, to: head, in: context)
            } else {
                pass(.head(head), in: context)
                context.fireChannelRead(data)
            }
        case (let part, let head):
            held = nil
            if let head { pass(.head(head), in: context) }
            pass(part, in: context)
        }
    }

    /// Flushes once for all requests that have arrived together.
    func channelReadComplete(context: ChannelHandlerContext) {
        if hasWritten {
            hasWritten = false
            context.flush()
        }
        context.fireChannelReadComplete()
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if case .end = unwrapOutboundIn(data) { passedCount -= 1 }
        context.write(data, promise: promise)
    }

    private func pass(_ part: HTTPRequestPart, in context: ChannelHandlerContext) {
        if case .head = part { passedCount += 1 }
        context.fireChannelRead(wrapInboundOut(part))
    }

    private func write(_ reply: Reply, to head: HTTPRequest, in context: ChannelHandlerContext) {
        var fields = reply.headers
        SecurityHeaders<ThumbnailContext>.add(to: &fields)
        fields.append(HTTPField(name: .date, value: ResponseDate.now))
        fields.append(HTTPField(name: .server, value: serverName))
        if let body = reply.body { fields.append(HTTPField(name: .contentLength, value: "\(body.readableBytes)")) }
        context.write(wrapOutboundOut(.head(HTTPResponse(status: reply.status, headerFields: fields))), promise: nil)
        if let body = reply.body, head.method != .head {
            context.write(wrapOutboundOut(.body(body)), promise: nil)
        }
        context.write(wrapOutboundOut(.end(nil)), promise: nil)
        hasWritten = true
    }
}

extension HTTPRequest {
    /// Whether the request ends with its head, and leaves the connection as it is.
    fileprivate var hasNeitherBodyNorConnectionOptions: Bool {
        let names: [HTTPField.Name] = [.connection, .contentLength, .transferEncoding, .expect, .upgrade]
        return !headerFields.contains { names.contains($0.name) }
    }
}
