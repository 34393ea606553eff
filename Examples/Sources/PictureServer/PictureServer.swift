import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore

/// Serves the files of a folder on the loopback address, for a demonstration or a test.
package struct PictureServer: Sendable {
    private static let chunkCount = 20

    private let folder: String
    private let chunkDelay: Duration

    /// A server of the files in `folder`. Each is sent in 20 parts, with `chunkDelay` before each of them.
    package init(folder: String, chunkDelay: Duration = .zero) {
        self.folder = folder
        self.chunkDelay = chunkDelay
    }

    /// Runs while `body` does, which gets the server's URL without a slash at its end.
    package func run<Result: Sendable>(_ body: @escaping @Sendable (String) async throws -> Result) async throws
        -> Result
    {
        let (ports, port) = AsyncStream.makeStream(of: Int.self)
        let application = Application(
            router: router,
            configuration: .init(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { channel in
                if let number = channel.localAddress?.port { port.yield(number) }
                port.finish()
            },
            logger: Logger(label: "pictures") { _ in SwiftLogNoOpLogHandler() })
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await application.run() }
            defer { group.cancelAll() }
            for await number in ports { return try await body("http://127.0.0.1:\(number)") }
            throw CancellationError()
        }
    }

    private var router: Router<BasicRequestContext> {
        let router = Router()
        router.get(":name") { request, context in
            response(to: request, for: try context.parameters.require("name").removingPercentEncoding ?? "")
        }
        return router
    }

    private func response(to request: Request, for name: String) -> Response {
        guard !name.utf8.contains(where: { $0 == UInt8(ascii: "/") || $0 == 0 }),
            let data = try? Data(contentsOf: URL(filePath: "\(folder)/\(name)"))
        else {
            return Response(status: .notFound)
        }
        var headers: HTTPFields = [.cacheControl: "max-age=60", .eTag: "\"\(data.digest)\""]
        guard request.headers[.ifNoneMatch] != headers[.eTag] else {
            return Response(status: .notModified, headers: headers)
        }
        headers[.contentType] = contentType(of: name)
        return Response(status: .ok, headers: headers, body: body(of: data))
    }

    private func body(of data: Data) -> ResponseBody {
        ResponseBody(contentLength: data.count) { writer in
            let size = max(1, (data.count + Self.chunkCount - 1) / Self.chunkCount)
            for start in stride(from: 0, to: data.count, by: size) {
                try await Task.sleep(for: chunkDelay)
                try await writer.write(ByteBuffer(bytes: data[start..<min(data.count, start + size)]))
            }
            try await writer.finish(nil)
        }
    }

    private func contentType(of name: String) -> String {
        switch name.utf8.split(separator: UInt8(ascii: ".")).last.map({ Substring($0).lowercased() }) {
        case "png": "image/png"
        case "jpg", "jpeg": "image/jpeg"
        case "gif": "image/gif"
        case "webp": "image/webp"
        default: "text/plain"
        }
    }
}

extension Data {
    /// FNV-1a: the same for equal bytes in each process.
    fileprivate var digest: String {
        let digest = reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        return String(digest, radix: 16)
    }
}
