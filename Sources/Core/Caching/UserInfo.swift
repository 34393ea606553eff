import DarkroomPlatform

/// The user info of URLs (RFC 3986, section 3.2.1), which must not be stored.
enum UserInfo {
    /// Unknown outside of this process, so that a digest cannot be compared with those of likely passwords.
    private static let salt = [UInt64.random(in: 0 ... .max), .random(in: 0 ... .max)]

    /// Returns `source` with a digest in place of the user info. Different user info has different digests, and none is
    /// the same in another process.
    static func hidden(in source: String) -> String {
        guard let range = range(in: source) else { return source }
        var bytes = unsafe salt.withUnsafeBytes { unsafe Data($0) }
        bytes.append(contentsOf: source.utf8[range])
        return "\(source[..<range.lowerBound])\(bytes.contentDigest)\(source[range.upperBound...])"
    }

    /// Returns the range of the user info in the text of a URL; `nil` if there is none.
    private static func range(in text: String) -> Range<String.Index>? {
        let bytes = text.utf8
        guard bytes.contains(UInt8(ascii: "@")), let slashes = bytes.firstRange(of: "://".utf8) else { return nil }
        let authority = bytes[slashes.upperBound...].prefix { !"/?#".utf8.contains($0) }
        guard bytes[..<slashes.lowerBound].allSatisfy(\.isSchemeByte) else { return nil }
        return authority.lastIndex(of: UInt8(ascii: "@")).map { authority.startIndex..<$0 }
    }
}

extension URL {
    /// Returns this URL as it may be stored: without user info, and with the query of `source`, its cache key source.
    ///
    /// Key filters remove signatures and tokens from the query. Without them, `source` is `nil`, and the query is kept.
    func storable(source: String?) -> URL {
        guard var components = URLComponents(url: self, resolvingAgainstBaseURL: true) else { return self }
        components.user = nil
        components.password = nil
        if let source { components.percentEncodedQuery = URLComponents(string: source)?.percentEncodedQuery }
        return components.url ?? self
    }
}
