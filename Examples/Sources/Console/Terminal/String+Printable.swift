extension Unicode.Scalar {
    /// Whether a terminal would act on it instead of showing it.
    ///
    /// These are the controls (C0, DELETE and C1), the line and paragraph separators, and the marks that change the direction
    /// of text, with which a name can be made to look like another.
    package var isUnprintable: Bool {
        switch value {
        case 0..<0x20, 0x7F..<0xA0, 0x61C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}

extension String {
    /// The text with escapes such as `\n` and `\u{1b}` in place of what a terminal would act on. Escaping twice changes nothing.
    package var printable: String {
        guard unicodeScalars.contains(where: \.isUnprintable) else { return self }
        return unicodeScalars.map(\.printable).joined()
    }
}

extension Unicode.Scalar {
    fileprivate var printable: String {
        switch self {
        case "\n": "\\n"
        case "\r": "\\r"
        case "\t": "\\t"
        case _ where isUnprintable: "\\u{\(String(value, radix: 16))}"
        default: String(self)
        }
    }
}
