extension String {
    /// The text without what could break a line of a log in two, or disturb a terminal that shows it: control characters,
    /// ends of lines and marks that turn the direction of text are written as `escape` has them.
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
    /// Whether it is a control character, the end of a line, or a mark of direction. All of them are below U+10000.
    fileprivate var isHarmful: Bool {
        switch value {
        case 0..<0x20, 0x7F..<0xA0, 0x61C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}
