#if Valkey
    import DarkroomTestKit

    /// Replies of RESP that are almost grammatical, as a hostile server would send them. Equal seeds give equal replies.
    struct NonsenseReplies {
        private var random: SeededGenerator

        init(seed: some BinaryInteger) { random = SeededGenerator(seed: seed) }

        /// Returns the next replies, of which some are cut off or changed.
        mutating func next() -> [UInt8] {
            var bytes = (0...below(4)).flatMap { _ in Array(value(depth: 0).utf8) }
            if below(3) == 0 { bytes.removeLast(below(bytes.count)) }
            if below(3) == 0, !bytes.isEmpty { bytes[below(bytes.count)] = UInt8(below(256)) }
            return bytes
        }

        private mutating func value(depth: Int) -> String {
            let type = one(
                of: depth < 4 ? ["*", "%", "~", ">", "|", "+", "$", ":", "_"] : ["+", "-", ":", "_", "#", ","])
            switch type {
            case "*", "%", "~", ">", "|":
                let count = below(4)
                let values = (0..<count * (type == "%" || type == "|" ? 2 : 1)).map { _ in value(depth: depth + 1) }
                return type + (below(4) == 0 ? one(of: Self.numbers) : "\(count)") + "\r\n" + values.joined()
            case "$":
                let text = one(of: Self.texts)
                return "$" + (below(4) == 0 ? one(of: Self.numbers) : "\(text.utf8.count)") + "\r\n" + text + "\r\n"
            default:
                return type + one(of: Self.texts + Self.numbers) + one(of: ["\r\n", "\r\n", "\r\n", "\n", "\r", ""])
            }
        }

        private mutating func one(of choices: [String]) -> String { choices[below(choices.count)] }

        private mutating func below(_ bound: Int) -> Int { bound > 0 ? Int.random(in: 0..<bound, using: &random) : 0 }

        private static let numbers = [
            "0", "-0", "-1", "1", "+1", "", "x", "?", "1.5", "2147483648", "9223372036854775807",
            "-9223372036854775808",
            "9223372036854775808", "99999999999999999999",
        ]

        private static let texts = [
            "", "OK", "message", "subscribe", "invalidate", "pmessage", "granted", "held", "t", "nan", "inf",
            "NOSCRIPT x", "MOVED 1 127.0.0.1:99999", "\u{FF}\0", "darkroom:",
        ]
    }
#endif
