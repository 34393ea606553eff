/// Mutates texts in ways that are likely to break parsers. Equal seeds give equal texts.
///
/// It works on Unicode scalars, and mostly inserts what a parser of `Character`s does not see, such as a mark that joins a
/// separator, or half of a line break.
public struct TextMutator {
    private var random: SeededGenerator
    private let samples: [String]

    /// Creates a mutator of `samples`, texts that the parser accepts. There must be at least one.
    public init(_ samples: [String], seed: UInt64) {
        self.samples = samples
        random = SeededGenerator(seed: seed)
    }

    /// Returns the next mutated text.
    public mutating func next() -> String {
        if below(16) == 0 { return (0..<below(12)).map { _ in fragment() }.joined() }
        var scalars = Array(samples[below(samples.count)].unicodeScalars)
        for _ in 0...below(4) { change(&scalars) }
        return String(scalars)
    }

    /// Returns the next mutated text as bytes; most are not valid UTF-8.
    public mutating func nextBytes() -> [UInt8] {
        var bytes = Array(next().utf8)
        for _ in 0..<below(4) {
            let place = below(bytes.count + 1)
            switch below(3) {
            case 0: bytes.insert(contentsOf: Self.brokenBytes[below(Self.brokenBytes.count)], at: place)
            case 1 where place < bytes.count: bytes[place] = UInt8(below(256))
            default: bytes.removeLast(bytes.count - place)
            }
        }
        return bytes
    }

    /// Returns a text that repeats `unit`. Parsing that takes more than linear time shows as a test that never ends.
    public static func longText(repeating unit: String, byteCount: Int = 1 << 20) -> String {
        String(repeating: unit, count: max(1, byteCount / max(1, unit.utf8.count)))
    }

    /// Returns a random number from 0 up to, but not including, `bound`; 0 if `bound` is not positive.
    public mutating func below(_ bound: Int) -> Int { bound > 0 ? Int.random(in: 0..<bound, using: &random) : 0 }

    private mutating func change(_ scalars: inout [Unicode.Scalar]) {
        let place = below(scalars.count + 1)
        switch below(7) {
        case 0, 1, 2: scalars.insert(contentsOf: fragment().unicodeScalars, at: place)
        case 3:
            let run = Array(repeating: fragment(), count: 1 + below(64)).joined()
            scalars.insert(contentsOf: run.unicodeScalars, at: place)
        case 4: scalars.removeSubrange(place..<min(scalars.count, place + 1 + below(8)))
        case 5: scalars.insert(contentsOf: scalars[place..<min(scalars.count, place + 1 + below(16))], at: place)
        default: scalars = Array(scalars[..<place]) + samples[below(samples.count)].unicodeScalars.suffix(below(32))
        }
    }

    private mutating func fragment() -> String {
        let all = [Self.joiners, Self.lookalikes, Self.controls, Self.marks, Self.numbers, Self.escapes, Self.paths]
        let some = all[below(all.count)]
        return some[below(some.count)]
    }
}

extension TextMutator {
    /// Texts that join the preceding `Character`.
    private static let joiners = [
        "\u{301}", "\u{20E3}", "\u{FE0F}", "\u{200D}", "\u{1F3FD}", "\"\u{301}", ",\u{301}", "=\u{301}", ";\u{301}",
        "/\u{301}", ":\u{301}", "%\u{301}", ".\u{301}", "&\u{301}", "+\u{301}", " \u{301}", "\r\n",
    ]

    /// Texts that are canonically equivalent to an ASCII text, become one by case folding, or resemble one.
    private static let lookalikes = [
        "\u{37E}", "\u{212A}", "\u{1FEF}", "\u{17F}", "\u{130}", "\u{131}", "\u{FF11}", "\u{FF21}", "\u{661}", "²", "é",
        "e\u{301}", "\u{FF0F}", "\u{2024}", "ß", "\u{FB03}",
    ]

    /// Characters that break terminals, logs and C strings, and the limits of Unicode.
    private static let controls = [
        "\0", "\u{7}", "\u{8}", "\t", "\n", "\r", "\u{1B}[2J", "\u{7F}", "\u{85}", "\u{9B}2J", "\u{61C}", "\u{200E}",
        "\u{200F}", "\u{2028}", "\u{2029}", "\u{202A}", "\u{202E}", "\u{2066}", "\u{2069}", "\u{D7FF}", "\u{E000}",
        "\u{FEFF}", "\u{FFFD}", "\u{FFFE}", "\u{FFFF}", "\u{10FFFF}",
    ]

    private static let marks = [
        "\"", "'", "\\", "\\\"", ",", ";", ":", "=", "&", "+", "-", "?", "#", "@", "*", "[", "]", "<", ">", "(", ")",
        "|",
        "~", "^", "!", "$", " ", "  ", "://", "W/", "x", "×", "",
    ]

    private static let numbers = [
        "0", "-0", "-1", "+1", "00", "007", "1e3", "1e400", "-1e400", "nan", "inf", "0x10", "0.1", "1_000", "255",
        "256",
        "65535", "65536", "2147483647", "2147483648", "4294967296", "9007199254740993", "9223372036854775807",
        "9223372036854775808", "-9223372036854775808", "18446744073709551616", "999999999999999999999999999999999999",
    ]

    private static let escapes = [
        "%", "%%", "%2", "%zz", "%00", "%0A", "%0d%0a", "%20", "%25", "%2525", "%2F", "%2e%2e%2f", "%5B", "%80", "%C3",
        "%C3%A9", "%CC%81", "%E2%84%AA", "%ED%A0%80", "%FF", "\\u0000", "\\x00",
    ]

    private static let paths = [
        "/", "//", ".", "..", "../", "/./", "/../", "...", "~/", "\\", "C:\\", "file://", "data:", "data:,", ";base64,",
        "http://[::1]/", "http://[", "@2x.", ".png", ".tar.gz",
    ]

    /// Invalid UTF-8: lone and missing parts of characters, overlong forms, surrogates, and values beyond Unicode.
    private static let brokenBytes: [[UInt8]] = [
        [0x80], [0xBF], [0xC3], [0xC0, 0xAF], [0xE2, 0x82], [0xED, 0xA0, 0x80], [0xF0, 0x80, 0x80, 0xAF],
        [0xF4, 0x90, 0x80, 0x80], [0xFF], [0xFE], [0xFF, 0xFF, 0xFF], [0xE2, 0x80, 0xAE], [0],
    ]
}

extension String {
    fileprivate init(_ scalars: some Sequence<Unicode.Scalar>) {
        var view = UnicodeScalarView()
        view.append(contentsOf: scalars)
        self.init(view)
    }
}
