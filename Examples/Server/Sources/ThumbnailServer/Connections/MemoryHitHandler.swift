import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Replies to requests whose file is in memory on the event loop of their connection, as soon as they arrive.
///
/// Hummingbird passes a request to a task on another thread, and its response back, which takes longer than finding the
/// file and writing it. All other requests are passed on, as are those that arrive while the response to an earlier one is
/// pending, or while the client does not read, so that responses keep their order and do not pile up. So is the first one
/// for a target with these header fields, because parsing it would delay the requests of all other connections.
///
/// A `RepeatedRequestHandler` replies to requests that are the same, byte for byte, before they are parsed.
final class MemoryHitHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private let routes: ThumbnailRoutes
    private let serverName: String
    private let deadlines: ConnectionDeadlines
    /// A request without a body whose end has not arrived.
    private var held: HTTPRequest?
    /// The number of requests passed on without a complete response.
    private var passedCount = 0
    private var hasWritten = false

    /// The number of requests that have been parsed, or are being parsed.
    private(set) var headCount = 0
    /// Whether the end of the latest request, and its body if it has one, are outstanding.
    private(set) var isReceiving = false
    /// Whether no further requests are answered: one has asked for the end of the connection, or cannot be parsed.
    private(set) var isLast = false
    /// The latest request, if the reply to it was sent from memory.
    private(set) var latest: RecognizedRequest?

    /// Creates a handler of one connection, whose deadlines are those of `deadlines`. `serverName` is the value of the
    /// field `Server`.
    init(_ routes: ThumbnailRoutes, serverName: String, deadlines: ConnectionDeadlines) {
        self.routes = routes
        self.serverName = serverName
        self.deadlines = deadlines
    }

    /// Whether the responses to all requests so far have been written.
    var isIdle: Bool { passedCount == 0 && held == nil && !isLast }

    func handlerAdded(context: ChannelHandlerContext) {
        let handler = RepeatedRequestHandler(routes, serverName: serverName, hits: self, deadlines: deadlines)
        // Without it, which a closed channel does not accept, all requests are parsed.
        try? context.pipeline.syncOperations.addHandler(handler, position: .first)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        latest = nil
        let part = unwrapInboundIn(data)
        note(part)
        switch (part, held) {
        case (.head(let head), nil) where isIdle && head.hasNeitherBodyNorConnectionOptions:
            held = head
        case (.end(nil), let head?):
            held = nil
            if context.channel.isWritable, let request = routes.recognize(head),
                let reply = routes.replyFromMemory(to: request)
            {
                latest = request
                write(reply, to: head, in: context)
            } else {
                pass(.head(head), in: context)
                context.fireChannelRead(data)
            }
        case (_, let head):
            held = nil
            if let head { pass(.head(head), in: context) }
            pass(part, in: context)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        isLast = true
        context.fireErrorCaught(error)
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

    private func note(_ part: HTTPRequestPart) {
        switch part {
        case .head(let head):
            headCount += 1
            isReceiving = true
            if head.endsConnection { isLast = true }
        case .body: break
        case .end: isReceiving = false
        }
    }

    private func pass(_ part: HTTPRequestPart, in context: ChannelHandlerContext) {
        if case .head = part { passedCount += 1 }
        context.fireChannelRead(wrapInboundOut(part))
    }

    private func write(_ reply: Reply, to head: HTTPRequest, in context: ChannelHandlerContext) {
        var fields = reply.headers
        fields.complete(byteCount: reply.file?.count, server: serverName)
        fields.append(HTTPField(name: .date, value: ResponseDate.now))
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

    /// Whether the connection ends after the response, which `ProtocolRules` writes in only one way.
    fileprivate var endsConnection: Bool { headerFields[.connection] == "close" }
}
