import HTTPTypes
import Hummingbird
import NIOCore

/// A response that is complete in memory.
struct Reply {
    let status: HTTPResponse.Status
    var headers: HTTPFields
    /// `nil` for a response without content.
    var body: ByteBuffer?
}

extension Response {
    /// Creates the response of `reply`.
    init(_ reply: Reply) {
        self.init(
            status: reply.status, headers: reply.headers,
            body: reply.body.map { ResponseBody(byteBuffer: $0) } ?? ResponseBody())
    }
}
