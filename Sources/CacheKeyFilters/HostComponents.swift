import DarkroomCore

/// A URL text split around its host (RFC 3986, section 3).
struct HostComponents {
    /// The part before `://`.
    let scheme: Substring
    /// The part from `://` up to the host, including user information.
    let beforeHost: Substring
    /// A name or an address, with brackets if it is an IPv6 address; may be empty.
    let host: Substring
    /// The part from the port or the path on.
    let end: Substring

    /// Splits `text`. Returns `nil` for a text that does not begin with a scheme and `://`, for a data URL, and if a
    /// bracket is not closed.
    init?(_ text: String) {
        let bytes = text.utf8
        let scheme = bytes.prefix(while: \.isSchemeByte)
        guard scheme.first?.isASCIILetter == true, !text.isDataURL else { return nil }
        let rest = bytes[scheme.endIndex...]
        guard rest.starts(with: "://".utf8) else { return nil }
        let authority = rest.dropFirst(3).prefix { !"/?#".utf8.contains($0) }
        let start = authority.lastIndex(of: UInt8(ascii: "@")).map(bytes.index(after:)) ?? authority.startIndex
        guard let end = Self.end(ofHost: authority[start...]) else { return nil }
        self.scheme = text[..<scheme.endIndex]
        beforeHost = text[scheme.endIndex..<start]
        host = text[start..<end]
        self.end = text[end...]
    }

    private static func end(ofHost text: Substring.UTF8View) -> String.Index? {
        guard text.first == UInt8(ascii: "[") else { return text.firstIndex(of: UInt8(ascii: ":")) ?? text.endIndex }
        return text.firstIndex(of: UInt8(ascii: "]")).map { text.index(after: $0) }
    }
}
