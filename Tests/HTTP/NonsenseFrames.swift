#if HTTP
    import DarkroomTestKit
    import TestSupport

    /// Frames of HTTP/2 that are almost grammatical, as a hostile server would send them. Equal seeds give equal frames.
    struct NonsenseFrames: Sendable {
        private var random: SeededGenerator

        init(seed: some BinaryInteger) { random = SeededGenerator(seed: seed) }

        /// Returns a script that introduces itself with settings, and answers each request with the next frames.
        mutating func script() -> ScriptedPeer.Script {
            var (copy, reader) = (self, FrameReader())
            random = SeededGenerator(seed: random.next())
            return { received in
                if received.isEmpty { return ScriptedPeer.Answer([copy.introduction()]) }
                let streams = reader.requests(in: received)
                guard !streams.isEmpty else { return ScriptedPeer.Answer() }
                return ScriptedPeer.Answer([streams.flatMap { copy.next(for: $0) }], closes: copy.below(2) == 0)
            }
        }

        private mutating func introduction() -> [UInt8] {
            switch below(8) {
            case 0: frame(for: 1)
            case 1: Frame.settings + frame(for: 1)
            case 2: settings()
            default: Frame.settings
            }
        }

        /// Returns the answer to the request on `stream`: a head and other frames.
        private mutating func next(for stream: UInt32) -> [UInt8] {
            var bytes = below(4) == 0 ? frame(for: stream) : []
            bytes += below(4) == 0 ? [] : Frame.headers(fields(), stream: stream, endsStream: below(6) == 0)
            for _ in 0..<below(5) { bytes += frame(for: stream) }
            if below(2) == 0 { bytes += Frame.data([1, 2, 3], stream: stream) }
            if below(8) == 0 { bytes.removeLast(below(bytes.count)) }
            if below(8) == 0, !bytes.isEmpty { bytes[below(bytes.count)] = UInt8(below(256)) }
            return bytes
        }

        private mutating func fields() -> [(name: String, value: String)] {
            var fields = [(":status", one(of: Self.statuses))]
            for _ in 0..<below(4) { fields.append(one(of: Self.fields)) }
            if below(16) == 0 { fields.removeFirst() }
            return fields
        }

        private mutating func frame(for stream: UInt32) -> [UInt8] {
            let place = below(3) > 0 ? stream : one(of: [0, 1, 2, 3, stream + 2, UInt32(Int32.max)])
            switch below(12) {
            case 0: return Frame.headers(fields(), stream: place, endsStream: below(2) == 0)
            case 1: return Frame.data((0..<below(50)).map { _ in 0 }, stream: place, endsStream: below(2) == 0)
            case 2: return Frame.frame(3, stream: place, Frame.bytes(UInt32(below(16))))
            case 3, 4: return settings()
            case 5: return Frame.frame(6, flags: UInt8(below(2)), Array(repeating: 7, count: 8))
            case 6: return Frame.frame(7, Frame.bytes(number()) + Frame.bytes(UInt32(below(16))))
            case 7: return Frame.frame(8, stream: one(of: [0, place]), Frame.bytes(number()))
            case 8: return Frame.frame(5, flags: 4, stream: place, Frame.bytes(number()) + Frame.block(fields()))
            case 9: return Frame.frame(9, flags: 4, stream: place, Frame.block(fields()))
            case 10: return Frame.frame(one(of: [10, 12]), stream: one(of: [0, place]), [0, 1, 97, 0, 0])
            default:
                let payload = (0..<below(40)).map { _ in UInt8(below(256)) }
                return Frame.frame(UInt8(below(14)), flags: UInt8(below(256)), stream: place, payload)
            }
        }

        private mutating func settings() -> [UInt8] {
            Frame.frame(
                4,
                (0..<below(4)).flatMap { _ in [0, UInt8(1 + below(9))] + Frame.bytes(number()) })
        }

        private mutating func number() -> UInt32 {
            one(of: [0, 1, 2, 3, 100, 4096, 16_384, 65_535, 1 << 24, UInt32(Int32.max), 1 << 31, .max])
        }

        private mutating func one<Element>(of choices: [Element]) -> Element { choices[below(choices.count)] }

        private mutating func below(_ bound: Int) -> Int { bound > 0 ? Int.random(in: 0..<bound, using: &random) : 0 }

        private static let statuses =
            Array(repeating: "200", count: 8) + [
                "204", "206", "304", "301", "100", "101", "103", "199", "404", "500", "", "0", "1", "000", "099", "600",
                "999", "1000", "-1", "+200", "18446744073709551616", "20x",
            ]

        private static let fields = [
            ("content-length", "3"), ("content-length", "0"), ("content-length", "-1"), ("content-length", "x"),
            ("content-length", "99999999999999999999"), ("content-encoding", "gzip"), ("content-encoding", "deflate"),
            ("content-type", "image/png"), ("location", "/b"), ("location", "http://["),
            ("transfer-encoding", "chunked"),
            ("connection", "close"), (":status", "200"), (":path", "/"), ("", ""), ("A", "b"), ("etag", "\"a\""),
            ("set-cookie", "a=1"), ("x", "\r\n"), ("x", ""),
        ]
    }
#endif
