extension String {
    /// Returns the text with all characters replaced by `escape` that could break a log line or affect a terminal: control
    /// characters, line separators and bidirectional formatting characters.
    func escaped(_ escape: (_ hexadecimal: String) -> String) -> String {
        guard unicodeScalars.contains(where: \.isHarmful) else { return self }
        var text = ""
        for scalar in unicodeScalars {
            guard scalar.isHarmful else {
                text.unicodeScalars.append(scalar)
                continue
            }
            let digits = String(scalar.value, radix: 16)
            text += escape(String(repeating: "0", count: max(0, 4 - digits.utf8.count)) + digits)
        }
        return text
    }
}

extension Unicode.Scalar {
    /// Whether the scalar is a control character, a line separator or a bidirectional formatting character. All of them
    /// are below U+10000.
    fileprivate var isHarmful: Bool {
        switch value {
        case 0..<0x20, 0x7F..<0xA0, 0x61C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}
