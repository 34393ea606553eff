// Foreign text is taken apart byte by byte. A combining mark joins the sign before it into another `Character`, `\r\n` is one
// `Character`, and two strings that differ in their bytes may be equal: a parser must not depend on any of that.
extension UInt8 {
    /// Whether it is an ASCII digit.
    package var isASCIIDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

    /// Whether it is an ASCII letter.
    package var isASCIILetter: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20) }

    /// Whether it is an ASCII letter or digit.
    package var isASCIIAlphanumeric: Bool { isASCIILetter || isASCIIDigit }

    /// Whether it is a space or a tab.
    package var isBlank: Bool { self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") }

    /// Whether it may be part of a URL's scheme: letters, digits, `+`, `-` and `.`.
    package var isSchemeByte: Bool {
        isASCIIAlphanumeric || self == UInt8(ascii: "+") || self == UInt8(ascii: "-") || self == UInt8(ascii: ".")
    }

    /// The small letter of an ASCII capital; any other byte itself.
    package var asciiLowercased: UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) ? self | 0x20 : self
    }

    /// The value of a hexadecimal digit of either letter case; `nil` for any other byte.
    package var hexDigitValue: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}
