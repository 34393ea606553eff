import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Replies to `/health` and `/ready` on the event loop of their connection, as soon as they arrive.
///
/// Hummingbird passes a request through several tasks, each of which waits behind those of all other requests: with some
/// hundred clients that are refused, and ask again at once, that took seconds. Requests that arrive while the response to an
/// earlier one is pending, or while the client does not read, are passed on, so that responses keep their order and do not
/// pile up.
final class OperationHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private let operations: OperationRoutes
    private let serverName: String
    /// The number of requests passed on without a complete response.
    private var passedCount = 0
    /// A request whose end has not arrived.
    private var held: HTTPRequest?

    /// Creates a handler of one connection. `serverName` is the value of the field `Server`.
    init(_ operations: OperationRoutes, serverName: String) {
        self.operations = operations
        self.serverName = serverName
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let part = unwrapInboundIn(data)
        switch (part, held) {
        case (.head(let head), nil)
        where passedCount == 0 && context.channel.isWritable && head.asksForStateOnly
            && operations.state(for: head) != nil:
            held = head
        case (.end(nil), let head?):
            held = nil
            reply(to: head, in: context)
        case (_, let head):
            held = nil
            if let head { pass(.head(head), in: context) }
            pass(part, in: context)
        }
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if case .end = unwrapOutboundIn(data) { passedCount -= 1 }
        context.write(data, promise: promise)
    }

    private func pass(_ part: HTTPRequestPart, in context: ChannelHandlerContext) {
        if case .head = part { passedCount += 1 }
        context.fireChannelRead(wrapInboundOut(part))
    }

    private func reply(to head: HTTPRequest, in context: ChannelHandlerContext) {
        guard let state = operations.state(for: head) else { return }
        var fields = state.fields
        fields.complete(byteCount: state.text.utf8.count, server: serverName)
        fields.append(HTTPField(name: .date, value: ResponseDate.now))
        let response = HTTPResponse(status: state.status, headerFields: fields)
        context.write(wrapOutboundOut(.head(response)), promise: nil)
        if head.method == .get {
            context.write(wrapOutboundOut(.body(ByteBuffer(string: state.text))), promise: nil)
        }
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        if head.headerFields[.connection] == "close" { context.close(promise: nil) }
    }
}

extension HTTPRequest {
    /// Whether the request has no body, and no option of its connection but that it ends after the response, which
    /// `ProtocolRules` writes in only one way.
    fileprivate var asksForStateOnly: Bool {
        let names: [HTTPField.Name] = [.contentLength, .transferEncoding, .expect, .upgrade]
        let connection = headerFields[.connection]
        return (method == .get || method == .head) && (connection == nil || connection == "close")
            && !headerFields.contains { names.contains($0.name) }
    }
}
