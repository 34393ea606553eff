/// The source of a key, taken apart by RFC 3986 without repairing or decoding anything.
struct SourceText {
    /// Whether it is a URL or relative reference, to the letter of the grammar.
    let isURL: Bool

    /// Whether it is a `file:` URL.
    let isFile: Bool

    /// Where the dot before the path extension stands; `nil` when there is no extension.
    let extensionDot: String.Index?

    /// Where the last component of the path ends: before a trailing slash, a query or a fragment.
    let nameEnd: String.Index

    init(_ text: String) {
        let bytes = text.utf8
        isURL = Self.isReference(text)
        var path = text[...]
        var isOpaque = false
        var scheme = ""
        if isURL {
            path = path.prefix { $0 != "#" }
            path = path.prefix { $0 != "?" }
            if let colon = path.firstIndex(of: ":"), !path[..<colon].contains("/") {
                scheme = path[..<colon].lowercased()
                path = path[path.index(after: colon)...]
                isOpaque = !path.hasPrefix("/")
            }
            if path.hasPrefix("//") {
                let authority = path.dropFirst(2)
                path = path[(authority.firstIndex(of: "/") ?? path.endIndex)...]
            }
        }
        isFile = scheme == "file"
        while path.last == "/" { path = path.dropLast() }
        let name = path.lastIndex(of: "/").map { path[path.index(after: $0)...] } ?? path
        let dot = name.lastIndex(of: ".")
        let hasExtension = dot.map { $0 > name.startIndex && bytes.index(after: $0) < name.endIndex } ?? false
        extensionDot = hasExtension && !isOpaque ? dot : nil
        nameEnd = name.endIndex
    }

    /// What may stand unescaped in a path besides `/`: RFC 3986's pchar, without `:` where it is no matter.
    static func isPathByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "-._~!$&'()*+,;=:@/".utf8.contains(byte)
        }
    }

    /// Whether every byte may stand where it stands. Only characters and escapes are checked, and brackets around a host.
    private static func isReference(_ text: String) -> Bool {
        var bytes = Array(text.utf8)[...]
        var fragments = 0
        while let byte = bytes.popFirst() {
            switch byte {
            case UInt8(ascii: "%"):
                guard bytes.count >= 2, bytes.prefix(2).allSatisfy({ Character(UnicodeScalar($0)).isHexDigit })
                else { return false }
            case UInt8(ascii: "#"):
                fragments += 1
                guard fragments == 1 else { return false }
            case UInt8(ascii: "?"), UInt8(ascii: "["), UInt8(ascii: "]"): break
            default: guard isPathByte(byte) else { return false }
            }
        }
        return hasBracketsOnlyAroundHost(text) && hasValidScheme(text)
    }

    /// An IPv6 host is the only place for brackets.
    private static func hasBracketsOnlyAroundHost(_ text: String) -> Bool {
        guard text.contains("[") || text.contains("]") else { return true }
        guard let start = text.firstRange(of: "//")?.upperBound else { return false }
        let authority = text[start...].prefix { !"/?#".contains($0) }
        return !text[authority.endIndex...].contains { "[]".contains($0) } && !text[..<start].contains { "[]".contains($0) }
    }

    /// A colon in the first component makes what stands before it a scheme.
    private static func hasValidScheme(_ text: String) -> Bool {
        let first = text.prefix { !"/?#".contains($0) }
        guard let colon = first.firstIndex(of: ":") else { return true }
        let scheme = first[..<colon]
        return scheme.first.map { $0.isASCII && $0.isLetter } ?? false
            && scheme.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
    }
}
