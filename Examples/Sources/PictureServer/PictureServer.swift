import NIOCore
import NIOHTTP1
import NIOPosix

/// Serves the files of a folder on the loopback address, for a demonstration or a test.
public struct PictureServer: Sendable {
    typealias Connection = NIOAsyncChannel<HTTPServerRequestPart, HTTPServerResponsePart>

    private let folder: String
    private let chunkDelay: Duration

    /// Creates a server of the files in `folder`. Each file is sent in 20 parts, with `chunkDelay` before each part.
    public init(folder: String, chunkDelay: Duration = .zero) {
        self.folder = folder
        self.chunkDelay = chunkDelay
    }

    /// Runs the server while `body` runs.
    ///
    /// - Parameter body: Receives the server's URL, without a slash at its end.
    public func run<Result: Sendable>(_ body: @Sendable (String) async throws -> Result) async throws -> Result {
        let connections = ConnectionList()
        let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.configureHTTPServerPipeline(withPipeliningAssistance: false)
                    let connection = try Connection(wrappingChannelSynchronously: channel)
                    // A client that disconnects early ends only its own connection.
                    connections.add { try? await serve(connection) }
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        do {
            let result = try await body("http://127.0.0.1:\(listener.localAddress?.port ?? 0)")
            try await close(listener, endingConnections: connections)
            return result
        } catch {
            try await close(listener, endingConnections: connections)
            throw error
        }
    }

    private func close(_ listener: any Channel, endingConnections connections: ConnectionList) async throws {
        try await listener.close()
        await connections.end()
    }

    private func serve(_ connection: Connection) async throws {
        try await connection.executeThenClose { requests, responses in
            for try await case .head(let request) in requests {
                try await PictureResponse(to: request, folder: folder).write(to: responses, chunkDelay: chunkDelay)
                guard request.isKeepAlive else { return }
            }
        }
    }
}
