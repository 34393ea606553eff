extension [UInt8] {
    /// Creates the bytes of `text` with its percent escapes decoded. A `%` that does not begin an escape is unchanged.
    package init<Text: StringProtocol>(percentDecoding text: Text) where Text.SubSequence == Substring {
        var rest = Array(text[...].utf8)[...]
        self = []
        reserveCapacity(rest.count)
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), let escaped = rest.prefix(2).hexByteValue {
                append(escaped)
                rest.removeFirst(2)
            } else {
                append(byte)
            }
        }
    }

    /// Appends the percent escape of `byte`, in uppercase.
    package mutating func appendPercentEscape(of byte: UInt8) {
        append(UInt8(ascii: "%"))
        for value in [byte >> 4, byte & 15] {
            append(value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10)
        }
    }
}

extension String {
    /// The text with its percent escapes decoded. Invalid UTF-8 is replaced by U+FFFD.
    package var percentDecoded: String {
        utf8.contains(UInt8(ascii: "%")) ? String(decoding: [UInt8](percentDecoding: self), as: UTF8.self) : self
    }
}

extension Sequence<UInt8> {
    /// The bytes as two lowercase hexadecimal digits each.
    package var hexadecimalText: String {
        map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}

extension ArraySlice<UInt8> {
    /// The byte that two hexadecimal digits represent; `nil` for anything else.
    fileprivate var hexByteValue: UInt8? {
        guard count == 2, let high = first?.hexDigitValue, let low = last?.hexDigitValue else { return nil }
        return high << 4 | low
    }
}
