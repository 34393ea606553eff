/// The source of a key, parsed by RFC 3986 without repairing or decoding anything.
///
/// It works on bytes, because characters would merge an accent with a slash or dot before it, and are many times
/// slower.
struct ParsedSource {
    /// The UTF-8 form of the text. All positions are offsets into it, and always at the boundary of a character.
    let bytes: [UInt8]

    /// Whether the text is a valid URL or relative reference.
    let isURL: Bool

    /// Whether it is a `file:` URL.
    let isFile: Bool

    /// The position of the dot before the path extension; `nil` if there is none.
    let extensionDot: Int?

    /// The end of the last path component: before a trailing slash, a query or a fragment.
    let nameEnd: Int

    init(_ text: String) {
        bytes = Array(text.utf8)
        isURL = Self.isReference(bytes)
        var path = bytes[...]
        var isOpaque = false
        var isFile = false
        if isURL {
            path = path.prefix { $0 != UInt8(ascii: "#") && $0 != UInt8(ascii: "?") }
            if let colon = Self.schemeEnd(path) {
                isFile = path[..<colon].elementsEqual("file".utf8) { $0.asciiLowercased == $1 }
                path = path[(colon + 1)...]
                isOpaque = path.first != UInt8(ascii: "/")
            }
            if path.starts(with: "//".utf8) { path = path.dropFirst(2).drop { $0 != UInt8(ascii: "/") } }
        }
        self.isFile = isFile
        while path.last == UInt8(ascii: "/") { path = path.dropLast() }
        let name = path.lastIndex(of: UInt8(ascii: "/")).map { path[($0 + 1)...] } ?? path
        let dot = name.lastIndex(of: UInt8(ascii: "."))
        let hasExtension = dot.map { $0 > name.startIndex && $0 + 1 < name.endIndex } ?? false
        extensionDot = hasExtension && !isOpaque ? dot : nil
        nameEnd = name.endIndex
    }

    /// The path extension, percent-decoded; empty if there is none.
    var pathExtension: String {
        guard let extensionDot else { return "" }
        let end = String(decoding: bytes[(extensionDot + 1)..<nameEnd], as: UTF8.self)
        return isURL ? end.percentDecoded : end
    }

    /// Returns whether a byte may appear unescaped in a path: `/` and the pchar of RFC 3986, which includes `:`.
    static func isPathByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "@")...UInt8(ascii: "Z"),
            UInt8(ascii: "&")...UInt8(ascii: ";"), UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: "!"),
            UInt8(ascii: "$"), UInt8(ascii: "="):
            true
        default: false
        }
    }

    /// Returns whether every byte is allowed where it appears. Only characters, escapes, and brackets around a host are
    /// checked.
    private static func isReference(_ bytes: [UInt8]) -> Bool {
        var fragments = 0
        var hasBrackets = false
        for index in bytes.indices {
            switch bytes[index] {
            case UInt8(ascii: "%"):
                guard bytes[(index + 1)...].prefix(2).count(where: { $0.hexDigitValue != nil }) == 2 else {
                    return false
                }
            case UInt8(ascii: "#"):
                fragments += 1
                guard fragments == 1 else { return false }
            case UInt8(ascii: "?"): break
            case UInt8(ascii: "["), UInt8(ascii: "]"): hasBrackets = true
            default: guard isPathByte(bytes[index]) else { return false }
            }
        }
        return hasValidScheme(bytes) && (!hasBrackets || hasBracketsOnlyAroundHost(bytes))
    }

    /// Returns whether all brackets are around the host, where IPv6 addresses have them.
    private static func hasBracketsOnlyAroundHost(_ bytes: [UInt8]) -> Bool {
        guard let start = bytes.firstRange(of: "//".utf8)?.upperBound else { return false }
        let end = bytes[start...].firstIndex { "/?#".utf8.contains($0) } ?? bytes.endIndex
        return !(bytes[..<start] + bytes[end...]).contains { "[]".utf8.contains($0) }
    }

    /// Returns whether the text before a colon in the first component, if there is one, is a valid scheme.
    private static func hasValidScheme(_ bytes: [UInt8]) -> Bool {
        guard let colon = schemeEnd(bytes[...]) else { return true }
        let scheme = bytes[..<colon]
        return scheme.first?.isASCIILetter ?? false && scheme.allSatisfy(\.isSchemeByte)
    }

    /// Returns the position of the colon after the scheme; `nil` if there is no colon in the first component.
    private static func schemeEnd(_ bytes: ArraySlice<UInt8>) -> Int? {
        for index in bytes.indices {
            switch bytes[index] {
            case UInt8(ascii: ":"): return index
            case UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#"): return nil
            default: break
            }
        }
        return nil
    }
}
