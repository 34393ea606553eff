import DarkroomPlatform

// Each member converts the text to a `Substring` first, so that the loop over its bytes is not generic, which is slow.
extension StringProtocol where SubSequence == Substring {
    /// The text with ASCII letters in lowercase. All others are unchanged: `lowercased()` would turn the Kelvin sign
    /// into a `k`.
    package var asciiLowercased: String {
        let text = self[...]
        // Most texts are in lowercase already.
        guard text.utf8.contains(where: { $0.asciiLowercased != $0 }) else { return String(text) }
        return String(decoding: text.utf8.map { $0.asciiLowercased }, as: UTF8.self)
    }

    /// Whether the text consists of one or more ASCII digits.
    package var isDecimal: Bool { !isEmpty && self[...].utf8.allSatisfy(\.isASCIIDigit) }

    /// Returns whether both texts are equal byte for byte. By `==`, `;` equals the Greek question mark.
    package func hasBytes<Text: StringProtocol>(of other: Text) -> Bool where Text.SubSequence == Substring {
        self[...].utf8.elementsEqual(other[...].utf8)
    }

    /// Returns whether the text starts with the bytes of `prefix`.
    package func startsWithBytes(of prefix: String) -> Bool { self[...].utf8.starts(with: prefix.utf8) }

    /// Returns whether the text starts with the bytes of `prefix`, regardless of ASCII case.
    package func startsIgnoringASCIICase(with prefix: String) -> Bool {
        self[...].utf8.starts(with: prefix.utf8) { $0.asciiLowercased == $1.asciiLowercased }
    }

    /// Returns whether both texts are equal, regardless of ASCII case.
    package func equalsIgnoringASCIICase(_ other: String) -> Bool {
        utf8.count == other.utf8.count && startsIgnoringASCIICase(with: other)
    }

    /// The media type in a `Content-Type` field: in lowercase, without parameters and blanks.
    package var mediaType: String {
        let type = self[...].utf8.prefix { $0 != UInt8(ascii: ";") }
        return String(decoding: type.filter { !$0.isBlank }.map(\.asciiLowercased), as: UTF8.self)
    }

    /// Returns the parts of the text between separators, including empty ones. There is at least one.
    ///
    /// - Parameter separator: An ASCII byte, so that no multibyte character is split.
    package func fields(separatedBy separator: UInt8, maxSplits: Int = .max) -> [Substring] {
        var fields: [Substring] = []
        var rest = self[...]
        while fields.count < maxSplits, let end = rest.utf8.firstIndex(of: separator) {
            fields.append(rest[..<end])
            rest = rest[rest.utf8.index(after: end)...]
        }
        fields.append(rest)
        return fields
    }

    /// The text without leading and trailing spaces and tabs.
    package var trimmed: Substring {
        let start = self[...].utf8.drop(while: \.isBlank)
        guard let last = start.lastIndex(where: { !$0.isBlank }) else { return "" }
        return Substring(start[...last])
    }

    /// The nonempty members of a comma-separated list (RFC 9110, section 5.6.1), in lowercase.
    package var listMembers: [String] {
        fields(separatedBy: UInt8(ascii: ",")).map(\.trimmed.asciiLowercased).filter { !$0.isEmpty }
    }
}

extension String {
    /// Returns whether both texts are equal byte for byte, by a single memory comparison if both are contiguous.
    package func hasBytes(of other: String) -> Bool {
        let isEqual = unsafe utf8.withContiguousStorageIfAvailable { left in
            unsafe other.utf8.withContiguousStorageIfAvailable { right in
                guard left.count == right.count else { return false }
                guard let one = left.baseAddress, let two = right.baseAddress else { return true }
                return unsafe memcmp(one, two, left.count) == 0
            }
        }
        return (isEqual ?? nil) ?? utf8.elementsEqual(other.utf8)
    }

    /// Returns the total length if the text is the `Content-Range` of all bytes from `offset` on (RFC 9110, section 14.4).
    package func contentRangeTotal(from offset: Int) -> Int? {
        guard startsIgnoringASCIICase(with: "bytes ") else { return nil }
        let parts = Substring(utf8.dropFirst(6)).fields(separatedBy: UInt8(ascii: "/"))
        let bounds = parts[0].fields(separatedBy: UInt8(ascii: "-"))
        guard parts.count == 2, bounds.count == 2, let total = Int(decimal: parts[1]), offset < total,
            Int(decimal: bounds[0]) == offset, Int(decimal: bounds[1]) == total - 1
        else { return nil }
        return total
    }

    /// Whether the text starts like a data URL. Only five bytes are compared, because every load needs it.
    package var isDataURL: Bool { startsIgnoringASCIICase(with: "data:") }
}

extension Int {
    /// Creates the number that ASCII digits without a sign represent; `nil` for any other text, and on overflow.
    package init?<Text: StringProtocol>(decimal text: Text) where Text.SubSequence == Substring {
        guard text.isDecimal else { return nil }
        self.init(text[...])
    }
}
