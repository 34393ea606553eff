#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension FakeOrigin {
    /// What the origin has to give. What of it is sent depends on the request: all, a part, or that nothing has changed.
    public struct Answer: Sendable {
        /// The status for a request without conditions.
        public var status = 200

        /// The header fields, with names in lower case. `etag` and `last-modified` are what conditions are compared with.
        public var headers: [String: String] = [:]

        /// The whole body.
        public var body = Data()

        /// How many bytes a chunk has.
        public var chunkByteCount = 1_024

        /// How many bytes are sent before the connection breaks; `nil` when it holds.
        public var breaksAfter: Int?

        /// Called before each chunk, to wait at a `Gate`; what it throws breaks the connection.
        public var willSend: @Sendable (_ chunkIndex: Int) async throws -> Void = { _ in }

        /// A body with these fields.
        public init(_ body: Data, headers: [String: String] = [:]) {
            self.body = body
            self.headers = headers
        }

        /// A status without a body.
        public static func status(_ status: Int, headers: [String: String] = [:]) -> Answer {
            var answer = Answer(Data(), headers: headers)
            answer.status = status
            return answer
        }

        /// A body that may be used for so many seconds, and be asked about by its tag.
        public static func fresh(_ body: Data, seconds: Int, tag: String = "\"1\"") -> Answer {
            Answer(body, headers: ["cache-control": "max-age=\(seconds)", "etag": tag])
        }
    }

    /// What is sent.
    struct Reply {
        var status: Int
        var headers: [String: String]
        /// Bytes of the answer's body.
        var range: Range<Int>
        let answer: Answer
    }
}

extension FakeOrigin.Answer {
    /// What is sent to who asked `request`.
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

    /// Whether the one who asks has it already (RFC 9110, section 13.2.2).
    private func holds(for request: FakeOrigin.Request) -> Bool {
        if let tags = request.headers["if-none-match"] {
            guard let tag = headers["etag"] else { return false }
            return tags.split(separator: ",").contains { Self.opaque($0) == Self.opaque(tag[...]) }
        }
        guard let date = request.headers["if-modified-since"] else { return false }
        return date == headers["last-modified"]
    }

    /// Where the bytes asked for begin; `nil` for a request of all, or of something that has changed.
    private func rangeStart(in request: FakeOrigin.Request) -> Int? {
        guard let range = request.headers["range"], range.hasPrefix("bytes="), range.hasSuffix("-"),
            let start = Int(range.dropFirst(6).dropLast()), start < body.count, headers["accept-ranges"] != "none"
        else { return nil }
        let condition = request.headers["if-range"]
        return condition == nil || condition == headers["etag"] ? start : nil
    }

    /// A tag without its blanks and its mark of weakness.
    private static func opaque(_ tag: Substring) -> Substring {
        let tag = tag.drop { $0 == " " }
        return tag.hasPrefix("W/") ? tag.dropFirst(2) : tag
    }
}
