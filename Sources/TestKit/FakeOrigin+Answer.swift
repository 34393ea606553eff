#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension FakeOrigin {
    /// A resource of the origin server. Depending on the request, the response is the complete body, a range, or a 304.
    public struct Answer: Sendable {
        /// The status for an unconditional request.
        public var status = 200

        /// The header fields, with lowercase names. Conditional requests are evaluated against `etag` and
        /// `last-modified`.
        public var headers: [String: String] = [:]

        /// The complete body.
        public var body = Data()

        /// The size of a chunk in bytes.
        public var chunkByteCount = 1_024

        /// The number of bytes after which the connection breaks; `nil` if it does not.
        public var breaksAfter: Int?

        /// Called before each chunk, for example to wait at a ``Gate``. An error breaks the connection.
        public var willSend: @Sendable (_ chunkIndex: Int) async throws -> Void = { _ in }

        /// Creates a response with `body` and `headers`.
        public init(_ body: Data, headers: [String: String] = [:]) {
            self.body = body
            self.headers = headers
        }

        /// Returns a response with a status and no body.
        public static func status(_ status: Int, headers: [String: String] = [:]) -> Answer {
            var answer = Answer(Data(), headers: headers)
            answer.status = status
            return answer
        }

        /// Returns a response that is fresh for `seconds` and can be revalidated by its entity tag.
        public static func fresh(_ body: Data, seconds: Int, tag: String = "\"1\"") -> Answer {
            Answer(body, headers: ["cache-control": "max-age=\(seconds)", "etag": tag])
        }
    }

    /// The response to one request.
    struct Reply {
        var status: Int
        var headers: [String: String]
        /// The range of the answer's body that is sent.
        var range: Range<Int>
        let answer: Answer
    }
}

extension FakeOrigin.Answer {
    /// Returns the response to `request`.
    func reply(to request: FakeOrigin.Request) -> FakeOrigin.Reply {
        var reply = FakeOrigin.Reply(status: status, headers: headers, range: 0..<body.count, answer: self)
        if status == 200, holds(for: request) {
            reply.status = 304
            reply.range = 0..<0
            return reply
        }
        if status == 200, let start = rangeStart(in: request) {
            reply.status = 206
            reply.range = start..<body.count
            reply.headers["content-range"] = "bytes \(start)-\(body.count - 1)/\(body.count)"
        }
        if headers["transfer-encoding"] == nil {
            reply.headers["content-length", default: "\(reply.range.count)"] += ""
        }
        return reply
    }

    /// Whether the validators of the request match, so that the response is a 304 (RFC 9110, section 13.2.2).
    private func holds(for request: FakeOrigin.Request) -> Bool {
        if let tags = request.headers["if-none-match"] {
            guard let tag = headers["etag"] else { return false }
            return tags.split(separator: ",").contains { Self.opaque($0) == Self.opaque(tag[...]) }
        }
        guard let date = request.headers["if-modified-since"] else { return false }
        return date == headers["last-modified"]
    }

    /// Returns the start of the requested range, or `nil` if the complete body is requested or the resource has
    /// changed.
    private func rangeStart(in request: FakeOrigin.Request) -> Int? {
        guard let range = request.headers["range"], range.hasPrefix("bytes="), range.hasSuffix("-"),
            let start = Int(range.dropFirst(6).dropLast()), start < body.count, headers["accept-ranges"] != "none"
        else { return nil }
        let condition = request.headers["if-range"]
        return condition == nil || condition == headers["etag"] ? start : nil
    }

    /// Returns an entity tag without leading spaces and weakness prefix.
    private static func opaque(_ tag: Substring) -> Substring {
        let tag = tag.drop { $0 == " " }
        return tag.hasPrefix("W/") ? tag.dropFirst(2) : tag
    }
}
