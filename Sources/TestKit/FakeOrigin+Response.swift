public import DarkroomPlatform

extension FakeOrigin {
    /// A response of the origin server to a plain request. From it follow the range or the 304 that other requests get.
    public struct Response: Sendable {
        /// The status.
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
        public static func status(_ status: Int, headers: [String: String] = [:]) -> Response {
            var response = Response(Data(), headers: headers)
            response.status = status
            return response
        }

        /// Returns a response that is fresh for the whole seconds of `lifetime`, and can be revalidated by its entity tag.
        public static func fresh(_ body: Data, for lifetime: Duration, tag: String = "\"1\"") -> Response {
            Response(body, headers: ["cache-control": "max-age=\(lifetime.components.seconds)", "etag": tag])
        }
    }

    /// The part of a response that one request gets, or a 304.
    struct SentResponse {
        var status: Int
        var headers: [String: String]
        /// The range of the complete body that is sent.
        var range: Range<Int>
        let whole: Response
    }
}

extension FakeOrigin.Response {
    /// Returns what is sent in response to `request`.
    func sent(to request: FakeOrigin.Request) -> FakeOrigin.SentResponse {
        var response = FakeOrigin.SentResponse(status: status, headers: headers, range: 0..<body.count, whole: self)
        if status == 200, isNotModified(for: request) {
            response.status = 304
            response.range = 0..<0
            return response
        }
        if status == 200, let start = rangeStart(in: request) {
            response.status = 206
            response.range = start..<body.count
            response.headers["content-range"] = "bytes \(start)-\(body.count - 1)/\(body.count)"
        }
        if headers["transfer-encoding"] == nil {
            response.headers["content-length", default: "\(response.range.count)"] += ""
        }
        return response
    }

    /// Whether the validators of the request match, so that the response is a 304 (RFC 9110, section 13.2.2).
    private func isNotModified(for request: FakeOrigin.Request) -> Bool {
        if let tags = request.headers["if-none-match"] {
            guard let tag = headers["etag"] else { return false }
            return tags.split(separator: ",").contains { Self.opaque($0) == Self.opaque(tag[...]) }
        }
        guard let date = request.headers["if-modified-since"] else { return false }
        return date == headers["last-modified"]
    }

    /// Returns the start of the requested range, or `nil` if the complete body is requested or it has
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
