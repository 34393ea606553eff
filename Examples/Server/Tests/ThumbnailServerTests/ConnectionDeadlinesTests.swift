import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import Testing

@testable import ThumbnailServer

/// The deadlines of connections, measured by a clock that the tests control.
struct ConnectionDeadlinesTests {
    private static let limits: ConnectionLimits = {
        var limits = ConnectionLimits()
        (limits.headSeconds, limits.bodySeconds, limits.idleSeconds, limits.writeSeconds) = (10, 20, 60, 30)
        return limits
    }()

    private static let head = HTTPRequestPart.head(
        HTTPRequest(method: .get, scheme: "http", authority: "localhost", path: "/"))

    /// Encodes responses as bytes, the only thing that embedded channels can count.
    private final class Encoder: ChannelOutboundHandler {
        typealias OutboundIn = HTTPResponsePart
        typealias OutboundOut = ByteBuffer
        var holds = false

        func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
            guard case .body(let bytes) = unwrapOutboundIn(data) else { return }
            context.write(wrapOutboundOut(bytes), promise: promise)
        }

        /// Closes the whole channel, because embedded channels do not support half-closing.
        func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
            if mode == .all { context.close(mode: mode, promise: promise) }
        }

        func flush(context: ChannelHandlerContext) {
            if !holds { context.flush() }
        }
    }

    private let encoder = Encoder()

    private func connected() throws -> EmbeddedChannel {
        let channel = EmbeddedChannel(handlers: [encoder, ConnectionDeadlines(Self.limits)])
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        return channel
    }

    private func pass(_ seconds: Int64, _ channel: EmbeddedChannel) -> Bool {
        channel.embeddedEventLoop.advanceTime(by: .seconds(seconds))
        return channel.isActive
    }

    private func answer(_ channel: EmbeddedChannel, _ byteCount: Int = 3) throws {
        channel.write(HTTPResponsePart.head(HTTPResponse(status: .ok)), promise: nil)
        channel.write(HTTPResponsePart.body(ByteBuffer(repeating: 0, count: byteCount)), promise: nil)
        channel.writeAndFlush(HTTPResponsePart.end(nil), promise: nil)
    }

    @Test func firstHeadMustArriveInTime() throws {
        let channel = try connected()
        #expect(pass(9, channel))
        // A byte of a head, which is not a complete part yet.
        channel.pipeline.fireChannelReadComplete()
        #expect(!pass(1, channel))
    }

    @Test func makingAResponseHasNoDeadline() throws {
        let channel = try connected()
        try channel.writeInbound(Self.head)
        try channel.writeInbound(HTTPRequestPart.end(nil))
        #expect(pass(1000, channel))
    }

    @Test func slowBodyTimesOutDespiteProgress() throws {
        let channel = try connected()
        try channel.writeInbound(Self.head)
        for _ in 0..<19 {
            #expect(pass(1, channel))
            try channel.writeInbound(HTTPRequestPart.body(ByteBuffer(string: "a")))
        }
        #expect(!pass(1, channel))
    }

    @Test func eachRequestHasItsOwnTime() throws {
        let channel = try connected()
        for _ in 0..<5 {
            try channel.writeInbound(Self.head)
            #expect(pass(15, channel))
            try channel.writeInbound(HTTPRequestPart.end(nil))
            #expect(pass(100, channel))
            try answer(channel)
            #expect(pass(59, channel))
        }
        #expect(!pass(1, channel))
    }

    @Test func clientMustCloseInTime() throws {
        let channel = try connected()
        try channel.writeInbound(Self.head)
        try channel.writeInbound(HTTPRequestPart.end(nil))
        try answer(channel)
        #expect(pass(30, channel))
        channel.close(mode: .output, promise: nil)
        #expect(pass(59, channel))
        #expect(!pass(1, channel))
    }

    @Test(arguments: [(0, false), (16 << 10, false), ((16 << 10) + 1, true)])
    func responseMustBeReadInTime(_ byteCount: Int, _ isLongEnough: Bool) throws {
        let channel = try connected()
        try channel.writeInbound(Self.head)
        try channel.writeInbound(HTTPRequestPart.end(nil))
        encoder.holds = true
        try answer(channel, byteCount + 5)
        #expect(pass(29, channel))
        if byteCount > 16 << 10 {
            // All of it is read at once, and the same amount follows.
            encoder.holds = false
            channel.flush()
            encoder.holds = true
            channel.writeAndFlush(HTTPResponsePart.body(ByteBuffer(repeating: 0, count: 9)), promise: nil)
        }
        #expect(pass(1, channel) == isLongEnough)
        if isLongEnough { #expect(!pass(30, channel)) }
    }

    @Test func steadyReaderMayExceedTheIdleTimeout() throws {
        let channel = try connected()
        try channel.writeInbound(Self.head)
        try channel.writeInbound(HTTPRequestPart.end(nil))
        encoder.holds = true
        try answer(channel, 100 << 10)
        for _ in 0..<5 {
            #expect(pass(25, channel))
            encoder.holds = false
            channel.flush()
            encoder.holds = true
            channel.writeAndFlush(HTTPResponsePart.body(ByteBuffer(repeating: 0, count: 50 << 10)), promise: nil)
        }
        #expect(!pass(60, channel))
    }
}
