import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix

/// The response to one request: a file, in parts.
struct PictureResponse {
    private static let chunkCount = 20

    private let version: HTTPVersion
    private var status = HTTPResponseStatus.notFound
    private var headers: HTTPHeaders = [:]
    private var body = Data()

    /// Creates the response to `request`, whose path names a file directly inside `folder`.
    init(to request: HTTPRequestHead, folder: String) async {
        version = request.version
        guard request.method == .GET, let name = request.fileName,
            let data = try? await NIOThreadPool.singleton.runIfActive({
                try Data(contentsOf: URL(filePath: "\(folder)/\(name)"))
            })
        else { return }
        let tag = "\"\(data.digest)\""
        headers = ["Cache-Control": "max-age=60", "ETag": tag]
        guard request.headers.first(name: "If-None-Match") != tag else {
            status = .notModified
            return
        }
        status = .ok
        headers.add(name: "Content-Type", value: Self.contentType(of: name))
        body = data
    }

    /// Sends the head, and the body in parts, with `chunkDelay` before each part.
    func write(
        to responses: NIOAsyncChannelOutboundWriter<HTTPServerResponsePart>, chunkDelay: Duration
    ) async throws {
        var headers = headers
        if status != .notModified { headers.add(name: "Content-Length", value: "\(body.count)") }
        try await responses.write(.head(HTTPResponseHead(version: version, status: status, headers: headers)))
        let size = max(1, (body.count + Self.chunkCount - 1) / Self.chunkCount)
        for start in stride(from: 0, to: body.count, by: size) {
            try await Task.sleep(for: chunkDelay)
            let chunk = body[start..<min(body.count, start + size)]
            try await responses.write(.body(.byteBuffer(ByteBuffer(bytes: chunk))))
        }
        try await responses.write(.end(nil))
    }

    private static func contentType(of name: String) -> String {
        switch name.utf8.split(separator: UInt8(ascii: ".")).last.map({ Substring($0).lowercased() }) {
        case "png": "image/png"
        case "jpg", "jpeg": "image/jpeg"
        case "gif": "image/gif"
        case "webp": "image/webp"
        default: "text/plain"
        }
    }
}

extension HTTPRequestHead {
    /// The only component of the path; `nil` if there are several.
    fileprivate var fileName: String? {
        let path = uri.utf8.prefix { $0 != UInt8(ascii: "?") }
        guard path.first == UInt8(ascii: "/"), let name = String(Substring(path.dropFirst())).removingPercentEncoding,
            !name.utf8.contains(where: { $0 == UInt8(ascii: "/") || $0 == 0 })
        else { return nil }
        return name
    }
}

extension Data {
    /// FNV-1a: the same for equal bytes in each process.
    fileprivate var digest: String {
        let digest = reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        return String(digest, radix: 16)
    }
}
