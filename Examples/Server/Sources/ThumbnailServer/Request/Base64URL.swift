import ServerPlatform

extension Data {
    /// Decodes the canonical base64url encoding (RFC 4648, section 5), without padding.
    ///
    /// Returns `nil` for any other text, including padding and non-zero unused bits: a value must have only one
    /// spelling.
    init?(base64URL text: some Collection<UInt8>) {
        guard text.count % 4 != 1 else { return nil }
        var bytes: [UInt8] = []
        var (bits, bitCount): (UInt16, Int) = (0, 0)
        for byte in text {
            guard let value = byte.base64URLValue else { return nil }
            bits = bits << 6 | value
            bitCount += 6
            guard bitCount >= 8 else { continue }
            bitCount -= 8
            bytes.append(UInt8(truncatingIfNeeded: bits >> bitCount))
            bits &= (1 << bitCount) - 1
        }
        guard bits == 0 else { return nil }
        self.init(bytes)
    }

    /// The bytes in base64url, without padding.
    var base64URL: String {
        let letters = base64EncodedString().utf8.lazy.filter { $0 != UInt8(ascii: "=") }
        return String(
            decoding: letters.map {
                $0 == UInt8(ascii: "+") ? UInt8(ascii: "-") : $0 == UInt8(ascii: "/") ? UInt8(ascii: "_") : $0
            }, as: UTF8.self)
    }
}

extension UInt8 {
    /// The six bits that the character encodes.
    fileprivate var base64URLValue: UInt16? {
        switch self {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt16(self - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt16(self - UInt8(ascii: "a")) + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt16(self - UInt8(ascii: "0")) + 52
        case UInt8(ascii: "-"): 62
        case UInt8(ascii: "_"): 63
        default: nil
        }
    }
}
