import Darkroom
import Foundation
import GeneratedPictures
import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization

/// Serves generated pictures on the loopback address: with delays, in parts, and with an error for those that are missing.
final class WallServer: Sendable {
    private typealias Connection = NIOAsyncChannel<HTTPServerRequestPart, HTTPServerResponsePart>

    /// The number of bytes of a part.
    private static let partByteCount = 2048

    /// The delay before the first byte, times a number from 1 to 8 that depends on the picture, and before each part.
    private let delay: Duration
    private let channel = Mutex<(any Channel)?>(nil)
    private let files = Mutex<[GeneratedPicture: Data]>([:])

    init(delay: Duration) { self.delay = delay }

    /// Starts to listen, and returns the server's URL, without a slash at its end.
    func start() async throws -> String {
        let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.configureHTTPServerPipeline(withPipeliningAssistance: false)
                    let connection = try Connection(wrappingChannelSynchronously: channel)
                    // A connection ends when its client closes it, at the latest with the process.
                    Task { try? await self.serve(connection) }
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        channel.withLock { $0 = listener }
        return "http://127.0.0.1:\(listener.localAddress?.port ?? 0)"
    }

    private func serve(_ connection: Connection) async throws {
        try await connection.executeThenClose { requests, responses in
            for try await case .head(let request) in requests {
                try await respond(to: request, of: connection.channel, responses)
                guard request.isKeepAlive else { return }
            }
        }
    }

    private func respond(
        to request: HTTPRequestHead, of client: any Channel,
        _ responses: NIOAsyncChannelOutboundWriter<HTTPServerResponsePart>
    ) async throws {
        let picture = GeneratedPicture(path: request.uri)
        try await Task.sleep(for: delay * (1 + (picture?.index ?? 0) * 5 % 8))
        guard request.method == .GET, let picture, let file = try await file(of: picture, for: client) else {
            return try await respond(.notFound, Data(), type: "text/plain", to: request, responses)
        }
        try await respond(.ok, file, type: picture.contentType, to: request, responses)
    }

    private func respond(
        _ status: HTTPResponseStatus, _ body: Data, type: String, to request: HTTPRequestHead,
        _ responses: NIOAsyncChannelOutboundWriter<HTTPServerResponsePart>
    ) async throws {
        let headers: HTTPHeaders = [
            "Cache-Control": "max-age=3600", "Content-Length": "\(body.count)", "Content-Type": type,
        ]
        try await responses.write(.head(HTTPResponseHead(version: request.version, status: status, headers: headers)))
        for start in stride(from: 0, to: body.count, by: Self.partByteCount) {
            if start > 0 { try await Task.sleep(for: delay) }
            let part = body[body.startIndex + start..<min(body.endIndex, body.startIndex + start + Self.partByteCount)]
            try await responses.write(.body(.byteBuffer(ByteBuffer(bytes: part))))
        }
        try await responses.write(.end(nil))
    }

    /// Returns the file of a picture, which is drawn once.
    ///
    /// Fast scrolling cancels thousands of loads, which must not keep others waiting.
    private func file(of picture: GeneratedPicture, for client: any Channel) async throws -> Data? {
        if let file = files.withLock({ $0[picture] }) { return file }
        let file = try await NIOThreadPool.singleton.runIfActive {
            guard client.isActive else { throw CancellationError() }
            return try picture.file()
        }
        if let file {
            files.withLock { files in
                if files.count > 500 { files = [:] }
                files[picture] = file
            }
        }
        return file
    }
}
