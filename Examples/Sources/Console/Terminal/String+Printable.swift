extension Unicode.Scalar {
    /// Whether a terminal would act on the scalar instead of showing it.
    ///
    /// This covers the controls (C0, DELETE and C1), the line and paragraph separators, and the bidirectional
    /// formatting characters, which can make one name look like another.
    package var isUnprintable: Bool {
        switch value {
        case 0..<0x20, 0x7F..<0xA0, 0x61C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}

extension String {
    /// The text with escapes such as `\n` and `\u{1b}` for scalars that a terminal would act on, and `\xe9` for bytes
    /// that are not valid UTF-8. Escaping is idempotent.
    package var printable: String {
        guard unicodeScalars.contains(where: { $0.isUnprintable || $0.systemByte != nil }) else { return self }
        return unicodeScalars.map(\.printable).joined()
    }
}

extension Unicode.Scalar {
    fileprivate var printable: String {
        switch self {
        case "\n": "\\n"
        case "\r": "\\r"
        case "\t": "\\t"
        case _ where systemByte != nil: "\\x\(String(systemByte ?? 0, radix: 16))"
        case _ where isUnprintable: "\\u{\(String(value, radix: 16))}"
        default: String(self)
        }
    }
}
