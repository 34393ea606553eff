import Darkroom
import DarkroomTestKit
import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import NIOEmbedded
import NIOPosix
import Testing

@testable import ThumbnailServer

/// The effects of requests on their connections, and of connections on their requests.
@Suite(.bounded)
struct ConnectionTests {
    private static let path = "/insecure/thumbnail:9x9/https%3A%2F%2Fexample.com%2Fa.png"
    private static let request = "GET \(path) HTTP/1.1\r\nHost: localhost\r\n\r\n"

    /// Opens a connection to the server at `port`, and collects the received text.
    private func connect(_ port: Int) async throws -> NIOAsyncChannel<ByteBuffer, ByteBuffer> {
        try await ClientBootstrap(group: NIOSingletons.posixEventLoopGroup)
            .channelOption(.allowRemoteHalfClosure, value: true)
            .connect(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel(
                        wrappingChannelSynchronously: channel, configuration: .init(isOutboundHalfClosureEnabled: true))
                }
            }
    }

    @Test(arguments: [CloseMode.all, .output])
    func disconnectCancelsTheWork(_ mode: CloseMode) async throws {
        let (entered, cancelled) = (Gate(), Gate())
        let loader = FakeLoader { _ in
            do {
                try await entered.waitUnlessCancelled()
            } catch {
                cancelled.arrive()
                throw error
            }
            throw ImageError(.internal, .load, "the gate is never opened")
        }
        try await TestServer(loader: loader).run { client, _ in
            let connection = try await connect(#require(client.port))
            try await connection.executeThenClose { _, outbound in
                try await outbound.write(ByteBuffer(string: Self.request))
                await entered.waitForArrivals()
                try await connection.channel.close(mode: mode)
                await cancelled.waitForArrivals()
            }
        }
    }

    @Test(arguments: [true, false])
    func errorsAreThrownOnlyWhileTheClientIsConnected(_ disconnects: Bool) async throws {
        let channel = NIOAsyncTestingChannel()
        try await channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1))
        let entered = Gate()
        let work = Task {
            try await channel.whileConnected {
                entered.arrive()
                if disconnects { try? await Gate().waitUnlessCancelled() }
                // The error that a cancelled load throws.
                throw ImageError.cancelled
            }
        }
        await entered.waitForArrivals()
        if disconnects { try await channel.close() }
        let error = await #expect(throws: (any Error).self) { try await work.value }
        #expect((error is CancellationError) == disconnects)
    }

    /// The client is gone before the server has looked at its request.
    @Test(.bug(id: "Fix work for clients that close right after their request"))
    func closingRightAfterTheRequestCancelsTheWork() async throws {
        let loader = FakeLoader { _ in
            // Never opened, so that only a cancellation ends the work.
            try await Gate().waitUnlessCancelled()
            throw ImageError(.internal, .load, "the gate is never opened")
        }
        try await TestServer(loader: loader).run { client, _ in
            for number in 0..<10 {
                let connection = try await connect(#require(client.port))
                let text = try await connection.executeThenClose { inbound, _ in
                    let request = Self.request.replacing("a.png", with: "\(number).png")
                    // Both in one step of the event loop, so that they arrive together.
                    let channel = connection.channel
                    try await channel.eventLoop.submit {
                        channel.writeAndFlush(ByteBuffer(string: request), promise: nil)
                        channel.close(mode: .output, promise: nil)
                    }.get()
                    var text = ""
                    for try await piece in inbound { text += String(decoding: piece.readableBytesView, as: UTF8.self) }
                    return text
                }
                #expect(text.hasPrefix("HTTP/1.1 499"), "request \(number)")
            }
        }
    }

    @Test(arguments: [true, false])
    func workForAClientThatHasDisconnectedIsCancelled(_ closes: Bool) async throws {
        let channel = await NIOAsyncTestingChannel(handler: DisconnectHandler())
        try await channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1))
        if closes {
            try await channel.close()
        } else {
            channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
            try await channel.testingEventLoop.executeInContext {}
        }
        await #expect(throws: CancellationError.self) {
            try await channel.whileConnected { try await Gate().waitUnlessCancelled() }
        }
    }

    @Test func connectionServesSeveralResponses() async throws {
        let image = try Data(contentsOf: fixtureFolder.appending(path: "png-3x5.png"))
        let loader = FakeLoader(image)
        try await TestServer(loader: loader).run { client, _ in
            let connection = try await connect(#require(client.port))
            try await connection.executeThenClose { inbound, outbound in
                var pieces = inbound.makeAsyncIterator()
                for number in 1...3 {
                    // Each URL is a cache miss.
                    let request = Self.request.replacing("a.png", with: "\(number).png")
                    try await outbound.write(ByteBuffer(string: request))
                    var text = ""
                    while !text.contains("IEND"), let piece = try await pieces.next() {
                        text += String(decoding: piece.readableBytesView, as: UTF8.self)
                    }
                    #expect(text.hasPrefix("HTTP/1.1 200 OK"))
                    #expect(!text.lowercased().contains("connection: close"))
                }
            }
        }
        #expect(loader.requests.count == 3)
    }

    @Test(.bug(id: "18.3"))
    func fileInMemoryIsNotSentBeforeAnEarlierResponse() async throws {
        let image = try Data(contentsOf: fixtureFolder.appending(path: "png-3x5.png"))
        let gate = Gate()
        let loader = FakeLoader { request in
            if request.url.lastPathComponent == "slow.png" { try await gate.waitUnlessCancelled() }
            return LoadResponse(.data(image))
        }
        try await TestServer(loader: loader).run { client, _ in
            try await exchange([Self.request], port: #require(client.port), responseCount: 1)
            let slow = Self.request.replacing("a.png", with: "slow.png")
            let text = try await exchange([slow + Self.request], port: #require(client.port), responseCount: 2) {
                await gate.waitForArrivals()
                gate.open()
            }
            let statuses = text.split(separator: "\r\n").filter { $0.lowercased().hasPrefix("cache-status") }
            #expect(statuses.count == 2 && statuses[0].contains("fwd") && statuses[1].contains("hit"), "\(statuses)")
        }
    }

    @Test(.bug(id: "18.3"))
    func filesInMemoryAreSentInOrderWithTheFieldsOfOtherResponses() async throws {
        let image = try Data(contentsOf: fixtureFolder.appending(path: "png-3x5.png"))
        try await TestServer(loader: FakeLoader(image)).run { client, _ in
            let port = try #require(client.port)
            let first = try await exchange([Self.request], port: port, responseCount: 1)
            let both = try await exchange([Self.request + Self.request], port: port, responseCount: 2)
            let fields = { (text: String) in
                let lines = text.components(separatedBy: "\r\n\r\n")[0].components(separatedBy: "\r\n")
                return Set(lines.dropFirst().map { $0.components(separatedBy: ":")[0].lowercased() })
            }
            #expect(fields(first) == fields(both))
            #expect(fields(both).isSuperset(of: ["date", "server", "content-length"]))
            let head = try await client.execute(uri: Self.path, method: .head)
            #expect(head.data.isEmpty && head.headers[.contentLength].map { $0 != "0" } == true)
            let closing = Self.request.replacing("\r\n\r\n", with: "\r\nConnection: close\r\n\r\n")
            // The server closes the connection; otherwise this would wait for a second response.
            _ = try await exchange([closing], port: port, responseCount: 2)
        }
    }

    @Test func dateHasTheFormOfHTTP() {
        #expect(ResponseDate.text(of: 784_111_777) == "Sun, 06 Nov 1994 08:49:37 GMT")
        #expect(ResponseDate.text(of: 1_795_478_400) == "Tue, 24 Nov 2026 00:00:00 GMT")
    }

    /// Sends `requests`, runs `body`, and returns what arrives until there are `responseCount` images, or the connection
    /// is closed.
    @discardableResult
    private func exchange(
        _ requests: [String], port: Int, responseCount: Int, _ body: @Sendable () async -> Void = {}
    ) async throws -> String {
        let connection = try await connect(port)
        return try await connection.executeThenClose { inbound, outbound in
            for request in requests { try await outbound.write(ByteBuffer(string: request)) }
            await body()
            var text = ""
            for try await piece in inbound {
                text += String(decoding: piece.readableBytesView, as: UTF8.self)
                if text.components(separatedBy: "IEND").count > responseCount { break }
            }
            return text
        }
    }
}
