import Darkroom
import DarkroomTestKit
import Foundation
import Hummingbird
import HummingbirdTesting
import NIOCore
import NIOPosix
import Testing

@testable import ThumbnailServer

/// Clients that never finish, over real sockets: the server closes the connection, and each test waits for that.
@Suite(.bounded, .bug(id: "Fix connections of clients that never finish a request"))
struct SlowClientTests {
    private static let request = "GET /big HTTP/1.1\r\nHost: localhost\r\n\r\n"

    /// Returns limits of which only that of `step` ends a connection before the tests do, however slow the machine is.
    private static func limits(_ step: WritableKeyPath<ConnectionLimits, Duration>) -> ConnectionLimits {
        var limits = ConnectionLimits()
        (limits.headTimeout, limits.bodyTimeout, limits.idleTimeout, limits.writeTimeout) = (
            .seconds(1e6), .seconds(1e6), .seconds(1e6), .seconds(1e6)
        )
        limits[keyPath: step] = .milliseconds(300)
        return limits
    }

    /// Runs `body` with the port of a server that responds to `/big` with more than the sockets can buffer, and to
    /// `/small`.
    private func serve(
        _ limits: ConnectionLimits, _ body: @escaping @Sendable (Int) async throws -> Void
    ) async throws {
        let router = Router(context: ThumbnailContext.self)
        router.get("small") { _, _ in "small" }
        router.get("big") { _, _ in ByteBuffer(repeating: 7, count: 16 << 20) }
        router.post("small") { request, _ in try await request.body.collect(upTo: 1000) }
        let application = Application(
            router: router, server: limits.server(), configuration: limits.configuration(.hostname()))
        try await application.test(.ahc(.http)) { client in try await body(try #require(client.port)) }
    }

    private func connect(_ port: Int) async throws -> any Channel {
        try await ClientBootstrap(group: NIOSingletons.posixEventLoopGroup)
            .channelOption(.socketOption(.so_rcvbuf), value: 4096)
            .connect(host: "127.0.0.1", port: port).get()
    }

    /// Writes `start`, and then `text` repeatedly until it fails.
    private func trickle(_ text: String, after start: String, to channel: any Channel) {
        channel.writeAndFlush(ByteBuffer(string: start), promise: nil)
        channel.eventLoop.scheduleRepeatedTask(initialDelay: .zero, delay: .milliseconds(20)) { task in
            guard channel.isActive else { return task.cancel() }
            channel.writeAndFlush(ByteBuffer(string: text), promise: nil)
        }
    }

    /// Sends `text`, and returns everything received over the connection.
    private func exchange(_ text: String, port: Int) async throws -> String {
        let channel = try await ClientBootstrap(group: NIOSingletons.posixEventLoopGroup)
            .connect(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
        return try await channel.executeThenClose { inbound, outbound in
            try await outbound.write(ByteBuffer(string: text))
            var bytes: [UInt8] = []
            for try await piece in inbound { bytes += piece.readableBytesView }
            return String(decoding: bytes, as: UTF8.self)
        }
    }

    @Test func silentClientIsDisconnected() async throws {
        try await serve(Self.limits(\.headTimeout)) { port in try await connect(port).closeFuture.get() }
    }

    @Test func tricklingHeadIsDisconnected() async throws {
        try await serve(Self.limits(\.headTimeout)) { port in
            let channel = try await connect(port)
            trickle("a", after: "GET /small HTTP/1.1\r\nHost: localhost\r\nX: ", to: channel)
            try await channel.closeFuture.get()
        }
    }

    @Test func tricklingBodyIsDisconnected() async throws {
        try await serve(Self.limits(\.bodyTimeout)) { port in
            let channel = try await connect(port)
            let head = "POST /small HTTP/1.1\r\nHost: localhost\r\nContent-Length: 900\r\n\r\n"
            trickle("a", after: head, to: channel)
            try await channel.closeFuture.get()
        }
    }

    @Test(arguments: ["", "Connection: close\r\n", "Broken field\r\n"])
    func connectionEndsAfterTheResponse(_ field: String) async throws {
        try await serve(Self.limits(\.idleTimeout)) { port in
            let channel = try await connect(port)
            // The client does not close its half when the server does.
            try await channel.setOption(.allowRemoteHalfClosure, value: true).get()
            let head = "GET /small HTTP/1.1\r\nHost: localhost\r\n\(field)\r\n"
            // Line breaks before a request are ignored.
            trickle("\r\n", after: head, to: channel)
            try await channel.closeFuture.get()
        }
    }

    @Test func clientThatDoesNotReadIsDisconnected() async throws {
        try await serve(Self.limits(\.writeTimeout)) { port in
            let channel = try await connect(port)
            try await channel.setOption(.autoRead, value: false).get()
            // Only writing detects that the connection is closed, because nothing is read.
            trickle("\r\n", after: Self.request, to: channel)
            try await channel.closeFuture.get()
        }
    }

    @Test func connectionsBeyondTheLimitWait() async throws {
        var limits = Self.limits(\.idleTimeout)
        limits.count = 1
        try await serve(limits) { port in
            // Each connection ends as idle, and makes room for the next.
            let clients = (0..<8).map { _ in
                Task { try await answer(to: "GET /small HTTP/1.1\r\nHost: a\r\n\r\n", port: port) }
            }
            for client in clients {
                let text = try await client.value
                #expect(text.hasSuffix("small"))
            }
        }
    }

    /// Returns the answer to `request`. A client that needs more than a second to send it may lose its connection, and
    /// connects again.
    private func answer(to request: String, port: Int) async throws -> String {
        while true {
            do {
                let text = try await exchange(request, port: port)
                if !text.isEmpty { return text }
            } catch let error as IOError where error.errnoCode == ECONNRESET || error.errnoCode == EPIPE {
            } catch ChannelError.ioOnClosedChannel {}
        }
    }

    @Test func acceptedConnectionsAreLimited() throws {
        var limits = ConnectionLimits()
        (limits.count, limits.reserveCount) = (1, 1)
        var delegate = try #require(limits.configuration(.hostname()).availableConnectionsDelegate)
        delegate.connectionOpened()
        #expect(delegate.isAcceptingNewConnections())
        delegate.connectionOpened()
        #expect(!delegate.isAcceptingNewConnections())
        delegate.connectionClosed()
        #expect(delegate.isAcceptingNewConnections())
    }

    @Test func longHeadIsRejected() async throws {
        try await serve(ConnectionLimits()) { port in
            let fields = (0..<200).map { "X-\($0): a\r\n" }.joined()
            let text = try await exchange("GET /small HTTP/1.1\r\nHost: a\r\n\(fields)\r\n", port: port)
            #expect(!text.contains("small"))
        }
    }
}
