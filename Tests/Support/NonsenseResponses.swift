#if HTTP
    import DarkroomTestKit

    /// Responses of HTTP/1.1 that are almost grammatical, as a hostile server would send them. Equal seeds give equal
    /// responses.
    public struct NonsenseResponses: Sendable {
        private var random: SeededGenerator

        /// Creates a generator of responses.
        public init(seed: some BinaryInteger) { random = SeededGenerator(seed: seed) }

        /// Returns the next answer: one to four messages, of which some are cut off or changed. Few leave the connection
        /// open.
        public mutating func next() -> ScriptedPeer.Answer {
            var bytes = (0...below(4)).flatMap { _ in message() }
            if below(4) == 0 { bytes.removeLast(below(bytes.count)) }
            if below(4) == 0, !bytes.isEmpty { bytes[below(bytes.count)] = UInt8(below(256)) }
            let cut = below(bytes.count)
            let portions = below(3) == 0 ? [Array(bytes[..<cut]), Array(bytes[cut...])] : [bytes]
            return ScriptedPeer.Answer(portions, closes: below(32) > 0)
        }

        /// Returns a script that answers each portion of a request with the next answer, and now and then speaks first.
        public mutating func script() -> ScriptedPeer.Script {
            var (copy, speaksFirst) = (self, below(16) == 0)
            random = SeededGenerator(seed: random.next())
            return { received in
                guard !received.isEmpty || speaksFirst else { return ScriptedPeer.Answer() }
                speaksFirst = false
                return copy.next()
            }
        }

        private mutating func message() -> [UInt8] {
            let end = below(8) == 0 ? one(of: ["\n", "\r", "\r\r\n", "\r\n "]) : "\r\n"
            var lines = [
                one(of: Self.versions) + " " + one(of: Self.statuses) + one(of: [" OK", " ", "", " \u{FF}\0"])
            ]
            for _ in 0..<below(6) { lines.append(one(of: Self.fields)) }
            if below(64) == 0 { lines.append("Long: " + String(repeating: "x", count: 100_000)) }
            return Array((lines.map { $0 + end }.joined() + end).utf8) + body()
        }

        private mutating func body() -> [UInt8] {
            switch below(4) {
            case 0: Self.gzip
            case 1: Array(one(of: Self.chunks).utf8)
            case 2: (0..<below(300)).map { _ in UInt8(below(256)) }
            default: Array("abc".utf8)
            }
        }

        private mutating func one(of choices: [String]) -> String { choices[below(choices.count)] }

        private mutating func below(_ bound: Int) -> Int { bound > 0 ? Int.random(in: 0..<bound, using: &random) : 0 }

        private static let versions =
            Array(repeating: "HTTP/1.1", count: 12)
            + ["HTTP/1.0", "HTTP/2.0", "HTTP/0.9", "HTTP/1.10", "http/1.1", "ICY", "PRI * HTTP/2.0", ""]

        private static let statuses =
            Array(repeating: "200", count: 12) + [
                "206", "204", "205", "304", "301", "100", "101", "102", "103", "199", "400", "401", "403", "500", "000",
                "007", "099", "600", "999", "99", "2000", "-1", "+200", "",
            ]

        private static let fields = [
            "Content-Length: 3", "Content-Length: 3", "Content-Length: 0", "Content-Length: 100", "Content-Length: -1",
            "Content-Length: +3", "Content-Length: 3, 3", "Content-Length: 99999999999999999999", "Content-Length:",
            "Content-Length: 18446744073709551615", "Content-Length: 9223372036854775807", "Content-Length: 0x3",
            "Transfer-Encoding: chunked", "Transfer-Encoding: chunked", "Transfer-Encoding: gzip, chunked",
            "Transfer-Encoding: identity", "Transfer-Encoding: chunked, chunked", "Transfer-Encoding: \u{B}chunked",
            "Content-Encoding: gzip", "Content-Encoding: gzip", "Content-Encoding: x-gzip", "Content-Encoding: deflate",
            "Content-Encoding: br", "Content-Encoding: gzip, gzip", "Content-Encoding: identity",
            "Connection: close", "Connection: keep-alive", "Connection: upgrade", "Upgrade: h2c", "Upgrade: websocket",
            "Content-Range: bytes 0-2/3", "Content-Range: bytes 9223372036854775807-0/*", "Content-Type: image/png",
            "ETag: \"a\"", "Set-Cookie: a=1; Max-Age=9223372036854775808", "Location: /b", "Location: http://[",
            "Location: //", "Location: http://\u{E9}:99999/", "Date: Sun, 06 Nov 99994 08:49:37 GMT", "Retry-After: -1",
            "Age: 99999999999999999999", "Cache-Control: max-age=99999999999999999999", "Vary: *", "Trailer: x",
            "Expires: 0", "Keep-Alive: timeout=-1", ": x", " folded", "\tfolded", "a b: c", "no colon", "X : y",
            "\0: \0", "\u{E9}: \u{E9}", "x-amz-bucket-region: \u{202E}", "HTTP/1.1 200 OK",
        ]

        private static let chunks = [
            "3\r\nabc\r\n0\r\n\r\n", "3\r\nabc\r\n0\r\nX: y\r\nContent-Length: 5\r\n\r\n", "3;x=\"\r\nabc\r\n0\r\n\r\n",
            "FFFFFFFFFFFFFFFFF\r\nabc", "7FFFFFFFFFFFFFFF\r\nabc", "FFFFFFFFFFFFFFFF\r\nabc", "-1\r\nabc", "\r\n",
            "3\nabc\n0\n\n", "3\r\nabcd\r\n0\r\n\r\n", "0\r\n: x\r\n\r\n", "0\r\nno colon\r\n\r\n",
            "000000003\r\nabc\r\n0",
            "3\r\nabc\r\n0\r\n folded: x\r\n\r\n",
        ]

        /// `abc`, compressed.
        private static let gzip: [UInt8] = [
            0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 0x4B, 0x4C, 0x4A, 6, 0, 0xC2, 0x41, 0x24, 0x35, 3, 0, 0, 0,
        ]
    }
#endif
