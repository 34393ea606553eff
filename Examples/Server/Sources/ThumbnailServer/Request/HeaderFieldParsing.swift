// Paths and header fields are parsed as bytes: a combining mark would merge with a separator into one `Character`.

extension Substring.UTF8View {
    /// The bytes without leading and trailing spaces and tabs.
    var trimmed: Substring.UTF8View {
        let isSpace = { (byte: UInt8) in byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
        var rest = drop(while: isSpace)
        while let last = rest.last, isSpace(last) { rest.removeLast() }
        return rest
    }
}

extension Sequence<UInt8> {
    /// The bytes with `A` to `Z` converted to lower case.
    var lowercased: [UInt8] {
        map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
    }
}

extension Double {
    /// Parses a number of at most 16 decimal digits with at most one point; `nil` for any other text.
    init?(plainDecimal text: some Collection<UInt8>) {
        let digitCount = text.count { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        let pointCount = text.count { $0 == UInt8(ascii: ".") }
        guard (1...16).contains(digitCount), pointCount <= 1, digitCount + pointCount == text.count else { return nil }
        self.init(String(decoding: text, as: UTF8.self))
    }
}
