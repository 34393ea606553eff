import DarkroomCore
import NIOCore
import NIOHTTP1
import NIOPosix
import Photograph

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Serves one image on 127.0.0.1, with a trailing byte that differs for each URL. Prints its port, and ends with its
/// input.
@main
enum PictureOrigin {
    static func main() async throws {
        let context = ImageContext { $0.thumbnail = .fit(320, 240) }
        let image = try Photograph.coders.decode(try Photograph().file(of: .jpeg), context: context)
        let file = ByteBuffer(bytes: try Photograph.coders.encode(image, as: .jpeg))
        let server = ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.backlog, value: 256)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.configureHTTPServerPipeline()
                    try channel.pipeline.syncOperations.addHandler(FileResponder(file: file))
                }
            }
        let channel = try await server.bind(host: "127.0.0.1", port: 0).get()
        print(channel.localAddress?.port ?? 0)
        fflush(nil)
        while readLine() != nil {}
    }
}

/// Responds to every request with the file.
private final class FileResponder: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let file: ByteBuffer

    init(file: ByteBuffer) { self.file = file }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .end = unwrapInboundIn(data) else { return }
        let headers: HTTPHeaders = [
            "content-length": "\(file.readableBytes)", "content-type": "image/jpeg", "cache-control": "max-age=600",
        ]
        context.write(
            wrapOutboundOut(.head(HTTPResponseHead(version: .http1_1, status: .ok, headers: headers))), promise: nil)
        context.write(wrapOutboundOut(.body(.byteBuffer(file))), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }
}
