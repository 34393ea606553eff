#if HTTP
    import DarkroomCore
    import DarkroomTestKit
    import TestSupport
    import Testing

    /// A fault of a server, and the outcome of the load.
    struct NetworkFault: Sendable, CustomTestStringConvertible {
        /// Returns the answer to a request, counted from 1, for the bytes of which `offset` is the first.
        typealias Answer = @Sendable (_ request: Int, _ offset: Int) -> ScriptedPeer.Answer

        let name: String
        /// The kinds of error of which one ends the load; none if it succeeds, and its result is stored.
        let kinds: [ImageError.Kind]
        /// The number of requests: more than one only if the load goes on after a failure or a redirect.
        var requestCount = 1
        /// Whether the load is of a secure URL.
        var isLoadedSecurely = false
        let answer: Answer

        var testDescription: String { name }

        init(
            _ name: String, _ kinds: ImageError.Kind..., requestCount: Int = 1, isLoadedSecurely: Bool = false,
            answer: @escaping Answer
        ) {
            (self.name, self.kinds, self.requestCount, self.answer) = (name, kinds, requestCount, answer)
            self.isLoadedSecurely = isLoadedSecurely
        }

        init(_ name: String, _ kinds: ImageError.Kind..., bytes: [UInt8], closes: Bool = true) {
            (self.name, self.kinds) = (name, kinds)
            answer = { _, _ in .init([bytes], closes: closes) }
        }

        /// The picture of all servers, in a grey of 77.
        static let picture = Array(Gallery.picture(77))

        /// All faults.
        static let all =
            ends + lengths + chunks + encodings + redirects + heads + statuses + ranges + limits
            + [
                NetworkFault("no TLS", .network, isLoadedSecurely: true) { _, _ in .init([sound], closes: true) },
                NetworkFault("TLS that ends at once", .network, isLoadedSecurely: true) { _, _ in .init(closes: true) },
                NetworkFault("TLS that is reset", .network, isLoadedSecurely: true) { _, _ in .init(resets: true) },
                NetworkFault("alert of TLS", .network, isLoadedSecurely: true) { _, _ in
                    .init([[21, 3, 3, 0, 2, 2, 40]], closes: true)
                },
            ]

        /// A response to `GET` with `fields` and `body`.
        static func response(_ fields: [String], _ body: [UInt8] = [], status: String = "200 OK") -> [UInt8] {
            Array("HTTP/1.1 \(status)\r\n\(fields.map { $0 + "\r\n" }.joined())\r\n".utf8) + body
        }

        /// The response of a server without faults.
        static let sound = response(["Content-Length: \(picture.count)"], picture)
    }

    extension NetworkFault {
        private static let length = "Content-Length: \(picture.count)"
        private static let half = Array(picture.prefix(picture.count / 2))
        private static let tag = "ETag: \"1\""
        /// More than the table's limit of bodies.
        private static let many = [UInt8](repeating: 0, count: 1 << 20)

        private static let ends = [
            NetworkFault("closed before a byte", .network) { _, _ in .init(closes: true) },
            NetworkFault("reset before a byte", .network) { _, _ in .init(resets: true) },
            NetworkFault("silent", .timedOut) { _, _ in .init() },
            NetworkFault("stalled in the head", .timedOut, bytes: Array("HTTP/1.1 200".utf8), closes: false),
            NetworkFault("stalled in the body", .timedOut, bytes: response([length], half), closes: false),
            NetworkFault("byte by byte") { _, _ in .init(sound.map { [$0] }, closes: true) },
            NetworkFault("closed in the body", .network, bytes: response([length], half)),
            NetworkFault("closed in the body, then resumed", requestCount: 2) { request, offset in
                .init([request == 1 ? response([length, tag], half) : rest(from: offset)], closes: true)
            },
            NetworkFault("closed in the body time and again", .network, requestCount: 3) { request, _ in
                .init([response([length, tag], half)], closes: true)
            },
            NetworkFault("closed in the body, then unavailable", .network, requestCount: 3) { request, _ in
                .init([request == 1 ? response([length, tag], half) : response([], status: "503 No")], closes: true)
            },
        ]

        private static func rest(from offset: Int, of total: Int = picture.count, tag: String = tag) -> [UInt8] {
            let range = "Content-Range: bytes \(offset)-\(total - 1)/\(total)"
            let rest = Array(picture[min(offset, picture.count)...])
            return response([tag, range, "Content-Length: \(rest.count)"], rest, status: "206 Partial Content")
        }

        private static let lengths = [
            NetworkFault("a length that is too large", .network, bytes: response(["Content-Length: 1000"], picture)),
            NetworkFault("more bytes than the length", bytes: sound + [1, 2, 3]),
            NetworkFault("a second response", bytes: sound + response(["Content-Length: 3"], [1, 2, 3])),
            NetworkFault("two lengths", .network, bytes: response([length, "Content-Length: 1"], picture)),
            NetworkFault("the length twice", bytes: response([length, length], picture)),
            NetworkFault("a negative length", .network, bytes: response(["Content-Length: -1"], picture)),
            NetworkFault(
                "a length of 2^64", .network, bytes: response(["Content-Length: 18446744073709551616"], picture)),
            NetworkFault(
                "length and chunks", .network, bytes: response([length, "Transfer-Encoding: chunked"], picture)),
            NetworkFault("no length", bytes: response([], picture)),
        ]

        private static func chunked(_ rest: String) -> [UInt8] {
            let chunk = Array("\(String(picture.count, radix: 16))\r\n".utf8) + picture
            return response(["Transfer-Encoding: chunked"], chunk + Array(rest.utf8))
        }

        private static let chunks = [
            NetworkFault("trailers", bytes: chunked("\r\n0\r\nX-A: 1\r\nX-B: 2\r\n\r\n")),
            NetworkFault("a length in the trailers", .network, bytes: chunked("\r\n0\r\nContent-Length: 3\r\n\r\n")),
            NetworkFault("no last chunk", .network, bytes: chunked("\r\n")),
            NetworkFault("a chunk of 2^64 bytes", .network, bytes: chunked("\r\nFFFFFFFFFFFFFFFFF\r\n")),
            NetworkFault("a chunk without a number", .network, bytes: chunked("\r\nxyz\r\n")),
            NetworkFault("more bytes than the chunk", .network, bytes: chunked("abc\r\n0\r\n\r\n")),
            NetworkFault(
                "trailers of a megabyte", .network,
                bytes: chunked("\r\n0\r\nX: " + String(repeating: "x", count: 1 << 20)), closes: false),
            NetworkFault(
                "trailers without end", .network,
                bytes: chunked("\r\n0\r\n" + String(repeating: "X-A: 1\r\n", count: 1 << 17)), closes: false),
            NetworkFault(
                "an extension of a chunk without end", .network,
                bytes: chunked("\r\n1;" + String(repeating: "x", count: 1 << 20)), closes: false),
        ]

        private static let encodings =
            ContentCoding.allCases.flatMap { coding in
                let (field, encoded) = ("Content-Encoding: \(coding.name)", coding.encoded(picture))
                let length = "Content-Length: \(encoded.count)"
                return [
                    NetworkFault("\(coding)", bytes: response([field, length], encoded)),
                    NetworkFault("\(coding) without length", bytes: response([field], encoded)),
                    NetworkFault(
                        "\(coding) that is cut", .network, bytes: response([field], Array(encoded.dropLast(9)))),
                    NetworkFault("a bomb in \(coding)", .overLimit, bytes: response([field], coding.bomb(1 << 19))),
                    NetworkFault(
                        "\(coding) of something else", .network, bytes: response([field], Array("no \(coding)".utf8))),
                ]
            } + [
                NetworkFault(
                    "gzip twice", .noCoder, .corrupt, .unsupported, .incomplete, .network,
                    bytes: response(
                        ["Content-Encoding: gzip, gzip"],
                        ContentCoding.gzip.encoded(ContentCoding.gzip.encoded(picture)))),
                NetworkFault(
                    "an unknown encoding", .noCoder, .corrupt, .unsupported, .incomplete,
                    bytes: response(["Content-Encoding: br"], [0x5B, 0xFF, 0xFF, 0xFF])),
            ]

        private static func redirect(_ target: String) -> [UInt8] {
            response(["Location: \(target)", "Content-Length: 0", "Connection: close"], status: "302 Found")
        }

        private static let redirects = [
            NetworkFault("a loop", .status, requestCount: 6) { _, _ in .init([redirect("/")], closes: true) },
            NetworkFault("longer and longer", .status, requestCount: 6) { request, _ in
                .init([redirect("/" + String(repeating: "a", count: 10_000 * request))], closes: true)
            },
            NetworkFault("to a forbidden address", .refused, bytes: redirect("http://127.0.0.2/")),
            NetworkFault("to metadata of a cloud", .refused, bytes: redirect("http://169.254.169.254/latest")),
            NetworkFault("to a file", .invalidURL, bytes: redirect("file:///etc/passwd")),
            NetworkFault("to no URL", .invalidURL, bytes: redirect("http://[/")),
            NetworkFault("to nowhere", .status, bytes: redirect("")),
        ]

        private static let heads = [
            NetworkFault("a field without a colon", .network, bytes: response([length, "X"], picture)),
            NetworkFault("a field without a name", .network, bytes: response([length, ": x"], picture)),
            NetworkFault("a zero in a field", .network, bytes: response([length, "X: a\0b"], picture)),
            NetworkFault("another protocol", .network, bytes: Array("SSH-2.0-OpenSSH_9.2\r\n".utf8)),
            NetworkFault("only a body", .network, bytes: picture),
            NetworkFault(
                "a field of 100 KB", .network,
                bytes: response([length, "X: " + String(repeating: "x", count: 100_000)], picture)),
            NetworkFault(
                "a field without end", .network,
                bytes: Array("HTTP/1.1 200 OK\r\nX: ".utf8) + [UInt8](repeating: 0x78, count: 1 << 20), closes: false),
            NetworkFault(
                "fields without end", .network,
                bytes: Array("HTTP/1.1 200 OK\r\n".utf8) + (0..<100_000).flatMap { _ in Array("X: 1\r\n".utf8) },
                closes: false),
            NetworkFault(
                "a status line without end", .network,
                bytes: Array("HTTP/1.1 200 ".utf8) + [UInt8](repeating: 0x78, count: 1 << 20), closes: false),
        ]

        private static let statuses = [
            NetworkFault(
                "hints before the response", bytes: response(["Link: <a>"], status: "103 Early Hints") + sound),
            NetworkFault(
                "hints without end", .network,
                bytes: (0..<200).flatMap { _ in response([], status: "103 Early Hints") }, closes: false),
            NetworkFault(
                "another protocol from now on", .status, bytes: response([], status: "101 Switching Protocols")),
            NetworkFault("unmodified without a validator", .status, bytes: response([tag], status: "304 Not Modified")),
            NetworkFault("no content", .status, bytes: response([], status: "204 No Content")),
            NetworkFault("a part that was not asked for", .status, bytes: rest(from: 3)),
            NetworkFault("an error", .status, bytes: response([length], picture, status: "500 No")),
            NetworkFault("a page", .contentType, bytes: response([length, "Content-Type: text/html"], picture)),
        ]

        /// Answers to the request for the rest, which do not continue what was received.
        private static let ranges = [
            ("a rest from elsewhere", 2), ("a rest of another picture", 1), ("a rest of another length", 0),
        ].map { name, kind in
            NetworkFault(name, .network, requestCount: 2) { request, offset in
                guard request > 1 else { return .init([response([length, tag], half)], closes: true) }
                let rest =
                    switch kind {
                    case 2: rest(from: offset - 1)
                    case 1: rest(from: offset, tag: "ETag: \"2\"")
                    default: rest(from: offset, of: picture.count + 1)
                    }
                return .init([rest], closes: true)
            }
        }

        private static let limits = [
            NetworkFault("a length above the limit", .overLimit, bytes: response(["Content-Length: 1048576"], many)),
            NetworkFault("a body without end", .overLimit, bytes: response([], many), closes: false),
            NetworkFault(
                "chunks without end", .overLimit,
                bytes: response(
                    ["Transfer-Encoding: chunked"],
                    (0..<40).flatMap { _ in Array("8000\r\n".utf8) + many.prefix(0x8000) + [13, 10] }),
                closes: false),
        ]
    }
#endif
