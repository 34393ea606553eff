import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Registers a connection, and passes its requests on when the registry allows it.
///
/// Over a connection of the reserve, requests for the state of the server are passed on at once, and end the connection.
final class AdmissionHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    /// The paths that are served while the server has no room for other requests.
    private static let operationPaths = ["/health", "/ready"]

    private let registry: ConnectionRegistry
    private let place: ConnectionPlace
    /// The parts of requests that wait; `nil` while none waits.
    private var held: [HTTPRequestPart]?
    private var wantsRead = false
    private var isRefused = false
    private var isClosed = false

    init(_ registry: ConnectionRegistry, place: ConnectionPlace) {
        self.registry = registry
        self.place = place
    }

    func handlerAdded(context: ChannelHandlerContext) {
        ProtocolRules.install(in: context)
        if context.channel.isActive { open(context) }
    }

    func channelActive(context: ChannelHandlerContext) {
        open(context)
        context.fireChannelActive()
    }

    func channelInactive(context: ChannelHandlerContext) {
        isClosed = true
        registry.close(place)
        // It retains this handler.
        place.owner = nil
        context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let part = unwrapInboundIn(data)
        guard !isRefused, !isClosed else { return }
        guard held == nil else {
            held?.append(part)
            return
        }
        // A request that was on its way when the connection had to make room, and has not been closed yet.
        if place.standing == .outside { registry.reopen(place) }
        guard case .head(var head) = part, place.standing != .regular else { return context.fireChannelRead(data) }
        if let path = head.path, Self.operationPaths.contains(path) {
            head.headerFields[.connection] = "close"
            return context.fireChannelRead(wrapInboundOut(.head(head)))
        }
        switch registry.admit(place) {
        case .regular: context.fireChannelRead(data)
        case .waiting:
            held = [part]
            checkLater(context)
        default: refuse(.serviceUnavailable, in: context)
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        if held == nil { context.fireChannelReadComplete() }
    }

    func read(context: ChannelHandlerContext) {
        guard held == nil else {
            wantsRead = true
            return
        }
        context.read()
    }

    /// Checks again whether there is room: a connection can become one that makes room without any event.
    private func checkLater(_ context: ChannelHandlerContext) {
        let bound = NIOLoopBound((handler: self, context: context), eventLoop: context.eventLoop)
        context.eventLoop.scheduleTask(in: ConnectionRegistry.grace) { [registry] in
            registry.makeRoom()
            let (handler, context) = bound.value
            if handler.held != nil, context.channel.isActive { handler.checkLater(context) }
        }
    }

    private func open(_ context: ChannelHandlerContext) {
        let bound = NIOLoopBound((handler: self, context: context), eventLoop: context.eventLoop)
        let eventLoop = context.eventLoop
        let owner = ConnectionPlace.Owner(
            client: context.channel.remoteAddress?.ipAddress.flatMap { ClientNetwork($0.utf8) } ?? .unknown,
            proceed: { eventLoop.execute { bound.value.handler.proceed(bound.value.context) } },
            leave: { eventLoop.execute { bound.value.handler.leave(bound.value.context) } })
        if !registry.open(place, owner: owner) { refuse(.tooManyRequests, in: context) }
    }

    private func proceed(_ context: ChannelHandlerContext) {
        guard let parts = held, context.channel.isActive else { return }
        held = nil
        for part in parts { context.fireChannelRead(wrapInboundOut(part)) }
        context.fireChannelReadComplete()
        guard wantsRead else { return }
        wantsRead = false
        context.read()
    }

    private func leave(_ context: ChannelHandlerContext) {
        guard context.channel.isActive else { return }
        guard place.idleTime == nil else { return context.close(promise: nil) }
        registry.reopen(place)
    }

    private func refuse(_ status: HTTPResponse.Status, in context: ChannelHandlerContext) {
        isRefused = true
        let fields: HTTPFields = [
            .contentLength: "0", .connection: "close", .cacheControl: "no-store", .retryAfter: "1",
        ]
        context.write(wrapOutboundOut(.head(HTTPResponse(status: status, headerFields: fields))), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        context.close(promise: nil)
    }
}
