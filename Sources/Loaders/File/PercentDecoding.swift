extension [UInt8] {
    /// The bytes of `text` without its escapes. A `%` that begins no escape stands for itself.
    init(percentDecoding text: some StringProtocol) {
        let bytes = Array(text.utf8)
        self = []
        reserveCapacity(bytes.count)
        var index = 0
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count,
                let high = bytes[index + 1].hexDigit, let low = bytes[index + 2].hexDigit
            {
                append(high << 4 | low)
                index += 3
            } else {
                append(bytes[index])
                index += 1
            }
        }
    }
}

extension UInt8 {
    /// The value of a hexadecimal digit.
    fileprivate var hexDigit: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}
