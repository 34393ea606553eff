import Darkroom
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// Why there is no picture, as `application/problem+json` (RFC 9457).
struct Problem: Error {
    /// The status to answer with.
    let status: HTTPResponse.Status

    /// One sentence, which begins with a small letter and has no full stop.
    let detail: String

    /// The kind of the framework's error behind it; `nil` when the request itself is wrong.
    var kind: String?

    /// Seconds after which it is worth another try; `nil` when it is not.
    var retryAfter: Int?

    /// A problem with the request itself.
    init(_ status: HTTPResponse.Status, _ detail: String, retryAfter: Int? = nil) {
        self.status = status
        self.detail = detail
        self.retryAfter = retryAfter
    }

    /// The answer. It may be kept for a moment, so that a missing picture on a busy page is not looked for each time.
    func response() -> Response {
        let members = [
            "status": "\(status.code)", "title": "\"\(status.reasonPhrase)\"", "detail": Self.quoted(detail),
            "kind": kind.map(Self.quoted),
        ]
        let order = ["status", "title", "detail", "kind"]
        let text = order.compactMap { name in members[name].flatMap { $0 }.map { "\"\(name)\":\($0)" } }
        var response = Response(
            status: status, headers: [.contentType: "application/problem+json"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: "{" + text.joined(separator: ",") + "}\n")))
        let isPassing = status.kind == .serverError || status == .tooManyRequests
        response.headers[.cacheControl] = isPassing ? "no-store" : "public, max-age=10"
        response.headers[.retryAfter] = retryAfter.map { "\($0)" }
        return response
    }

    private static func quoted(_ text: String) -> String {
        let data = try? JSONEncoder().encode(text)
        return data.map { String(decoding: $0, as: UTF8.self) } ?? "\"\""
    }
}
