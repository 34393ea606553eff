#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

// Each takes the whole as a `Substring` first, so that the work is done on one type, and not looked up byte by byte.
extension StringProtocol where SubSequence == Substring {
    /// The text with small letters in place of ASCII capitals. All else stays: in Unicode, the Kelvin sign becomes a `k`.
    package var asciiLowercased: String { String(decoding: self[...].utf8.map(\.asciiLowercased), as: UTF8.self) }

    /// Whether it is ASCII digits and nothing else, and at least one.
    package var isDecimal: Bool { !isEmpty && self[...].utf8.allSatisfy(\.isASCIIDigit) }

    /// Whether both are equal byte for byte. `==` would also take `;` for the Greek question mark.
    package func hasBytes<Text: StringProtocol>(of other: Text) -> Bool where Text.SubSequence == Substring {
        self[...].utf8.elementsEqual(other[...].utf8)
    }

    /// Whether the first bytes are those of `prefix`.
    package func startsWithBytes(of prefix: String) -> Bool { self[...].utf8.starts(with: prefix.utf8) }

    /// Whether the first bytes are those of `prefix`, ASCII letter case apart.
    package func startsIgnoringASCIICase(with prefix: String) -> Bool {
        self[...].utf8.starts(with: prefix.utf8) { $0.asciiLowercased == $1.asciiLowercased }
    }

    /// The media type of a `Content-Type` field: in lower case, without its parameters and blanks.
    package var mediaType: String {
        let type = self[...].utf8.prefix { $0 != UInt8(ascii: ";") }
        return String(decoding: type.filter { !$0.isBlank }.map(\.asciiLowercased), as: UTF8.self)
    }

    /// The parts between the bytes `separator`, empty ones included; at least one.
    ///
    /// - Parameter separator: An ASCII byte, so that no character of more bytes is cut.
    package func fields(separatedBy separator: UInt8, maxSplits: Int = .max) -> [Substring] {
        self[...].utf8.split(separator: separator, maxSplits: maxSplits, omittingEmptySubsequences: false)
            .map { Substring($0) }
    }

    /// The text without spaces and tabs at its ends.
    package var trimmed: Substring {
        let start = self[...].utf8.drop(while: \.isBlank)
        guard let last = start.lastIndex(where: { !$0.isBlank }) else { return "" }
        return Substring(start[...last])
    }

    /// The members of a comma-separated list (RFC 9110, section 5.6.1) in lower case; no empty ones.
    package var listMembers: [String] {
        fields(separatedBy: UInt8(ascii: ",")).map(\.trimmed.asciiLowercased).filter { !$0.isEmpty }
    }
}

extension String {
    /// Whether both are equal byte for byte, by one comparison of memory where both lie in a row.
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

    /// Whether it begins like a data URL. Looks at five bytes, because every load asks.
    package var isDataURL: Bool { startsIgnoringASCIICase(with: "data:") }
}

extension Int {
    /// The number of ASCII digits without a sign; `nil` for all else, and for numbers beyond the largest.
    package init?<Text: StringProtocol>(decimal text: Text) where Text.SubSequence == Substring {
        guard text.isDecimal else { return nil }
        self.init(text[...])
    }
}
