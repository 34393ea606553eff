import Darkroom
import HTTPTypes
import Hummingbird
import NIOCore
import ServerPlatform

/// The description of a failed request, sent as `application/problem+json` (RFC 9457).
struct Problem: Error {
    /// The status of the response.
    let status: HTTPResponse.Status

    /// The description, one sentence that begins in lowercase and has no full stop.
    let detail: String

    /// The kind of the underlying ``ImageError``; `nil` if the request itself is invalid.
    var kind: String?

    /// The number of seconds after which to retry; `nil` if retrying is useless.
    var retryAfter: Int?

    /// Creates a problem with the request itself.
    init(_ status: HTTPResponse.Status, _ detail: String, retryAfter: Int? = nil) {
        self.status = status
        self.detail = detail
        self.retryAfter = retryAfter
    }

    /// Returns the response. Clients may cache it briefly, so that a missing image on a busy page is not requested every
    /// time, but not beyond `expiry`, that of the signature.
    func response(expiry: Date? = nil) -> Response {
        let members = [
            "status": "\(status.code)", "title": "\"\(status.reasonPhrase)\"", "detail": Self.quoted(detail),
            "kind": kind.map(Self.quoted),
        ]
        let order = ["status", "title", "detail", "kind"]
        let text = order.compactMap { name in members[name].flatMap { $0 }.map { "\"\(name)\":\($0)" } }
        var response = Response(
            status: status, headers: [.contentType: "application/problem+json", .vary: RequestKey.variedFields],
            body: ResponseBody(byteBuffer: ByteBuffer(string: "{" + text.joined(separator: ",") + "}\n")))
        let isTransient = status.kind == .serverError || status == .tooManyRequests
        let lifetime = isTransient ? .none : CacheLifetime(isPrivate: false, freshFor: .seconds(10), staleFor: .zero)
        response.headers[.cacheControl] = lifetime.ending(at: expiry).field
        response.headers[.retryAfter] = retryAfter.map { "\($0)" }
        return response
    }

    private static func quoted(_ text: String) -> String {
        let data = try? JSONEncoder().encode(text)
        return data.map { String(decoding: $0, as: UTF8.self) } ?? "\"\""
    }
}
