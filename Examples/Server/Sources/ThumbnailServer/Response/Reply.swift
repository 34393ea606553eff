import Darkroom
import HTTPTypes
import Hummingbird
import NIOCore
import ServerPlatform

/// A response that is complete in memory.
struct Reply {
    let status: HTTPResponse.Status

    /// The header fields, apart from those that all responses of the server have.
    let fields: ReplyFields

    /// The value of the field `Server-Timing`.
    let timing: String

    /// The file; `nil` for a response without content.
    var file: Data?

    /// All fields, apart from those that all responses of the server have.
    var headers: HTTPFields {
        var headers = fields.fields
        headers.append(HTTPField(name: .serverTiming, value: timing))
        return headers
    }

    /// The file as the body of a response.
    var body: ByteBuffer? { file.map { ByteBuffer(bytes: $0) } }

    /// Returns the message of HTTP/1.1, without the file in reply to `HEAD`.
    func message(for method: HTTPRequest.Method, server: String, allocator: ByteBufferAllocator) -> ByteBuffer {
        let head = fields.head(status: status, byteCount: file?.count, server: server)
        let content = method == .head ? nil : file
        var message = allocator.buffer(capacity: head.readableBytes + 128 + (content?.count ?? 0))
        message.writeImmutableBuffer(head)
        message.writeField(.serverTiming, timing)
        message.writeField(.date, ResponseDate.now)
        message.writeStaticString("\r\n")
        if let content { message.writeBytes(content) }
        return message
    }
}

extension Response {
    /// Creates the response of `reply`.
    init(_ reply: Reply) {
        self.init(
            status: reply.status, headers: reply.headers,
            body: reply.body.map { ResponseBody(byteBuffer: $0) } ?? ResponseBody())
    }
}
