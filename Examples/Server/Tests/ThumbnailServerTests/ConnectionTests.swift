import Darkroom
import DarkroomTestKit
import Foundation
import HummingbirdTesting
import NIOCore
import NIOEmbedded
import NIOPosix
import Testing

@testable import ThumbnailServer

/// The effects of requests on their connections, and of connections on their requests.
@Suite(.timeLimit(.minutes(10)))
struct ConnectionTests {
    private static let request =
        "GET /insecure/thumbnail:9x9/https%3A%2F%2Fexample.com%2Fa.png HTTP/1.1\r\nHost: localhost\r\n\r\n"

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
}
