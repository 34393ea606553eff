import NIOCore
import NIOHTTPTypes

/// Closes connections whose client exceeds the `ConnectionLimits`.
///
/// One timer serves all deadlines of a connection: if it fires before a deadline that has been moved, it is
/// rescheduled.
final class ConnectionDeadlines: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    /// The phase of a connection, which determines its deadline.
    private enum Phase: Equatable {
        case firstHead
        /// Receiving the body of the request with this number.
        case body(Int)
        /// Making the response, which has no deadline here.
        case response
        case nextHead
        /// Waiting for the client to close, after the server has closed its half.
        case end
    }

    /// A period in which the client must read some of the buffered response.
    private struct Window {
        let end: NIODeadline
        let bufferedCount: Int
        var writtenCount = 0
    }

    /// The number of bytes of a response that a client must read within `writeTimeout`.
    private static let minimumReadCount = 16 << 10

    /// The place of the connection, which shows whether it is idle.
    let place: ConnectionPlace?

    private let limits: ConnectionLimits
    private let registry: ConnectionRegistry?
    private var phase = Phase.firstHead
    private var requestCount = 0
    private var responseCount = 0
    private var isReading = false
    private var deadline: NIODeadline?
    private var window: Window?
    private var timer: (scheduled: Scheduled<Void>, time: NIODeadline)?

    /// Creates the deadlines of the connection with `place` in `registry`, if there is one.
    init(_ limits: ConnectionLimits, place: ConnectionPlace? = nil, in registry: ConnectionRegistry? = nil) {
        self.limits = limits
        self.place = place
        self.registry = registry
    }

    /// Whether the client has not read all of an earlier response.
    var isWriting: Bool { window != nil }

    /// Whether the server has room for requests over this connection.
    var isAdmitted: Bool { place.map { $0.standing == .regular } ?? true }

    /// Notes a request that was complete when it arrived, and whose response was flushed, below this handler.
    func didRespond(in context: ChannelHandlerContext) {
        // Flushing may have found that the client is gone.
        guard context.channel.isActive else { return }
        requestCount += 1
        responseCount += 1
        startPhase(context)
        openWindow(context)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        if context.channel.isActive { enter(.firstHead, in: context) }
    }

    func handlerRemoved(context: ChannelHandlerContext) { stop() }

    func channelActive(context: ChannelHandlerContext) {
        enter(.firstHead, in: context)
        context.fireChannelActive()
    }

    func channelInactive(context: ChannelHandlerContext) {
        stop()
        context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head:
            requestCount += 1
            isReading = true
        case .body: break
        case .end: isReading = false
        }
        context.fireChannelRead(data)
    }

    /// Skips the body phase of requests that arrive complete, as most do.
    func channelReadComplete(context: ChannelHandlerContext) {
        updatePhase(context)
        context.fireChannelReadComplete()
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        var isEnd = false
        switch unwrapOutboundIn(data) {
        case .head: break
        case .body(let bytes): window?.writtenCount += bytes.readableBytes
        case .end: isEnd = true
        }
        context.write(data, promise: promise)
        guard isEnd else { return }
        responseCount += 1
        startPhase(context)
    }

    func flush(context: ChannelHandlerContext) {
        context.flush()
        guard window == nil else { return }
        openWindow(context)
    }

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        if mode == .output { enter(.end, in: context) }
        context.close(mode: mode, promise: promise)
    }

    private var currentPhase: Phase {
        if phase == .end { return .end }
        if isReading { return .body(requestCount) }
        return responseCount < requestCount ? .response : requestCount > 0 ? .nextHead : .firstHead
    }

    private func updatePhase(_ context: ChannelHandlerContext) {
        if currentPhase != phase { startPhase(context) }
    }

    /// Enters the current phase, anew if it has not changed: a response may be sent before its request is noticed.
    private func startPhase(_ context: ChannelHandlerContext) {
        if phase != .end { enter(currentPhase, in: context) }
    }

    private func enter(_ phase: Phase, in context: ChannelHandlerContext) {
        self.phase = phase
        deadline = timeout(of: phase).map { context.eventLoop.now + TimeAmount($0) }
        noteIdleness(context)
        setTimer(context)
    }

    /// Shows whether another connection may have the place of this one.
    private func noteIdleness(_ context: ChannelHandlerContext) {
        guard let place else { return }
        let isIdle = window == nil && (phase == .firstHead || phase == .nextHead)
        place.idleTime = isIdle ? context.eventLoop.now : nil
        if isIdle { registry?.didBecomeIdle() }
    }

    private func timeout(of phase: Phase) -> Duration? {
        switch phase {
        case .firstHead: limits.headTimeout
        case .body: limits.bodyTimeout
        case .response: nil
        case .nextHead, .end: limits.idleTimeout
        }
    }

    /// Starts a window if bytes are buffered for the client.
    private func openWindow(_ context: ChannelHandlerContext) {
        let count = Self.bufferedCount(context)
        window =
            count > 0 ? Window(end: context.eventLoop.now + TimeAmount(limits.writeTimeout), bufferedCount: count) : nil
        if (window == nil) != (place?.idleTime != nil) { noteIdleness(context) }
        setTimer(context)
    }

    private static func bufferedCount(_ context: ChannelHandlerContext) -> Int {
        // A channel without this option buffers nothing here.
        (try? context.channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
    }

    private func setTimer(_ context: ChannelHandlerContext) {
        guard let time = window.map({ min($0.end, deadline ?? $0.end) }) ?? deadline else { return }
        if let timer {
            guard time < timer.time else { return }
            timer.scheduled.cancel()
        }
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        timer = (context.eventLoop.scheduleTask(deadline: time) { bound.value.0.check(bound.value.1) }, time)
    }

    private func check(_ context: ChannelHandlerContext) {
        timer = nil
        let now = context.eventLoop.now
        if let window, window.end <= now {
            let bufferedCount = Self.bufferedCount(context)
            let readCount = window.bufferedCount + window.writtenCount - bufferedCount
            guard bufferedCount == 0 || readCount >= Self.minimumReadCount else { return context.close(promise: nil) }
            openWindow(context)
        }
        if let deadline, deadline <= now {
            // A client that still reads the response at a sufficient rate need not send its next request yet.
            guard window != nil, phase == .nextHead || phase == .end else { return context.close(promise: nil) }
            return enter(phase, in: context)
        }
        setTimer(context)
    }

    private func stop() {
        timer?.scheduled.cancel()
        (timer, deadline, window) = (nil, nil, nil)
    }
}

extension TimeAmount {
    /// Creates the amount of `duration`, at most 30 years.
    fileprivate init(_ duration: Duration) {
        self = .nanoseconds(Int64(saturating: min(max(duration, .zero), .seconds(1_000_000_000)) / .nanoseconds(1)))
    }
}
