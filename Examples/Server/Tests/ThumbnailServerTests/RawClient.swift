import NIOCore
import NIOPosix

/// A client that sends bytes, not requests.
enum RawClient {
    /// Connects to the server at `port`, sends `bytes`, and returns what is received until the server closes the
    /// connection, or `isComplete` returns `true` for it.
    static func exchange(
        _ bytes: some Collection<UInt8>, port: Int, isComplete: @Sendable (String) -> Bool = { _ in false }
    ) async throws -> String {
        let connection = try await connect(port)
        return try await connection.executeThenClose { inbound, outbound in
            try await outbound.write(ByteBuffer(bytes: bytes))
            return try await text(inbound, isComplete: isComplete)
        }
    }

    /// Sends `text` to the server at `port`, and returns all bytes that it sends until it closes the connection.
    static func bytes(answering text: String, port: Int) async throws -> [UInt8] {
        try await connect(port).executeThenClose { inbound, outbound in
            try await outbound.write(ByteBuffer(string: text))
            var bytes: [UInt8] = []
            for try await piece in inbound { bytes += piece.readableBytesView }
            return bytes
        }
    }

    /// Opens a connection to the server at `port`, which may close its half.
    static func connect(_ port: Int) async throws -> NIOAsyncChannel<ByteBuffer, ByteBuffer> {
        try await ClientBootstrap(group: NIOSingletons.posixEventLoopGroup)
            .channelOption(.allowRemoteHalfClosure, value: true)
            .connect(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel(
                        wrappingChannelSynchronously: channel, configuration: .init(isOutboundHalfClosureEnabled: true))
                }
            }
    }

    private static func text(
        _ inbound: NIOAsyncChannelInboundStream<ByteBuffer>, isComplete: (String) -> Bool
    ) async throws -> String {
        var bytes: [UInt8] = []
        for try await piece in inbound {
            bytes += piece.readableBytesView
            if isComplete(String(decoding: bytes, as: UTF8.self)) { break }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
