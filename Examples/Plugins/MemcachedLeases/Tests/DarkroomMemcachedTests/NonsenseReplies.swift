import DarkroomTestKit

/// Replies of memcached that are almost grammatical, as a hostile server would send them. Equal seeds give equal replies.
struct NonsenseReplies: Sendable {
    private var random: SeededGenerator

    init(seed: some BinaryInteger) { random = SeededGenerator(seed: seed) }

    /// Returns the next replies, of which some are cut off or changed, and whether the connection is closed then.
    mutating func next() -> (bytes: [UInt8], closes: Bool) {
        var bytes = (0...below(8) / 6).flatMap { _ in reply() }
        if below(8) == 0 { bytes.removeLast(below(bytes.count)) }
        if below(8) == 0, !bytes.isEmpty { bytes[below(bytes.count)] = UInt8(below(256)) }
        return (bytes, below(8) == 0)
    }

    private mutating func reply() -> [UInt8] {
        let end = below(8) == 0 ? one(of: ["\n", "\r", "", " \r\n", "\u{301}\r\n"]) : "\r\n"
        guard below(2) == 0 else { return Array((one(of: Self.lines) + end).utf8) }
        let text = one(of: Self.texts)
        let count = below(4) == 0 ? one(of: Self.numbers) : "\(text.utf8.count)"
        let version = below(4) == 0 ? one(of: ["", "c", " c1", "s2 t3"]) : "c" + one(of: Self.numbers)
        return Array("VA \(count) \(version)\(end)\(text)\(end)".utf8)
    }

    private mutating func one(of choices: [String]) -> String { choices[below(choices.count)] }

    private mutating func below(_ bound: Int) -> Int { bound > 0 ? Int.random(in: 0..<bound, using: &random) : 0 }

    private static let lines = [
        "HD", "HD", "HD", "EN", "EN", "NS", "EX", "NF", "HD c1", "VA", "VA ", "MN", "ERROR", "CLIENT_ERROR bad",
        "SERVER_ERROR out of memory", "", " ", "\0", "hd", "END", "STORED", "HTTP/1.1 400 Bad Request",
        String(repeating: "x", count: 5000),
    ]

    private static let numbers = [
        "0", "-0", "-1", "+1", "1", "", "x", "1.5", "4096", "4097", "18446744073709551615", "18446744073709551616",
        "9223372036854775807", "9223372036854775808", "1\u{301}",
    ]

    private static let texts = [
        "", "shared", "failed", "darkroom:end:1", "a\r\nflush_all", "a b", "\0", "\u{E9}", "\r\n",
        String(repeating: "k", count: 251), String(repeating: "k", count: 4096),
    ]
}
