import DarkroomCore

/// A text taken apart round the host, as RFC 3986, section 3, says it.
struct HostText {
    /// What stands before `://`.
    let scheme: Substring
    /// From `://` up to the host: user and password stand there, too.
    let beforeHost: Substring
    /// A name or an address, one of version 6 with its brackets; may be empty.
    let host: Substring
    /// From the port or the path on.
    let end: Substring

    /// `nil` for texts that do not begin with a scheme and `://`, data URLs, and those whose bracket does not close.
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
