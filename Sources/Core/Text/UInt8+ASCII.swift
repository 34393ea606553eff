// Untrusted text is parsed byte by byte. By `Character`s, a combining mark would hide the delimiter before it, `\r\n`
// is one element, and strings with different bytes may be equal.
extension UInt8 {
    /// Whether the byte is an ASCII digit.
    package var isASCIIDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

    /// Whether the byte is an ASCII letter.
    package var isASCIILetter: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20) }

    /// Whether the byte is an ASCII letter or digit.
    package var isASCIIAlphanumeric: Bool { isASCIILetter || isASCIIDigit }

    /// Whether the byte is a space or a tab.
    package var isBlank: Bool { self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") }

    /// Whether the byte is allowed in the scheme of a URL: a letter, a digit, `+`, `-` or `.`.
    package var isSchemeByte: Bool {
        isASCIIAlphanumeric || self == UInt8(ascii: "+") || self == UInt8(ascii: "-") || self == UInt8(ascii: ".")
    }

    /// The lowercase letter for an ASCII uppercase letter; any other byte unchanged.
    package var asciiLowercased: UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) ? self | 0x20 : self
    }

    /// The value of a hexadecimal digit in either case; `nil` for any other byte.
    package var hexDigitValue: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}
