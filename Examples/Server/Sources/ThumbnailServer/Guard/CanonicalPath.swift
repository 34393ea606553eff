import ServerPlatform

/// A URL path with a single meaning for every server that interprets it, in canonical form.
struct CanonicalPath: Equatable {
    /// The path with unreserved characters unescaped, and the remaining escapes in upper case.
    private let bytes: [UInt8]

    /// The maximum nesting of escapes: servers behind proxies decode paths twice.
    private static let depthLimit = 4

    /// Creates the path of `url`; `nil` if it has a segment `.` or `..`, at any level of escaping, with parameters, or
    /// after a backslash, and if the unescaped path is not UTF-8.
    init?(_ url: URL) {
        let path = Array(url.path(percentEncoded: true).utf8)
        var plain = path
        for _ in 0..<Self.depthLimit {
            guard !Self.hasDots(plain) else { return nil }
            let next = Self.unescaped(plain) { _ in true }
            guard next.count < plain.count else {
                guard String(validating: plain, as: UTF8.self) != nil else { return nil }
                bytes = Self.unescaped(path, where: \.isUnreserved)
                return
            }
            plain = next
        }
        return nil
    }

    /// Returns whether this path equals `other` or is below it.
    func isWithin(_ other: CanonicalPath) -> Bool {
        let slash = UInt8(ascii: "/")
        guard !other.bytes.isEmpty, other.bytes != [slash] else { return true }
        guard bytes.starts(with: other.bytes) else { return false }
        return other.bytes.last == slash || bytes.count == other.bytes.count || bytes[other.bytes.count] == slash
    }

    /// Returns whether a segment of `path` is `.` or `..`.
    private static func hasDots(_ path: [UInt8]) -> Bool {
        path.split { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") }.contains { segment in
            let name = segment.prefix { $0 != UInt8(ascii: ";") }
            return name.elementsEqual(".".utf8) || name.elementsEqual("..".utf8)
        }
    }

    /// Returns `path` with those escapes decoded whose byte satisfies `condition`, and the others in upper case.
    private static func unescaped(_ path: [UInt8], where condition: (UInt8) -> Bool) -> [UInt8] {
        var result: [UInt8] = []
        var rest = path[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%"), let high = rest.first?.hexDigit, let low = rest.dropFirst().first?.hexDigit
            else {
                result.append(byte)
                continue
            }
            let digits = rest.prefix(2)
            rest = rest.dropFirst(2)
            result += condition(high << 4 | low) ? [high << 4 | low] : [byte] + digits.uppercased
        }
        return result
    }
}

extension Sequence<UInt8> {
    /// The bytes with `a` to `f` converted to upper case.
    fileprivate var uppercased: [UInt8] {
        map { (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0) ? $0 & ~0x20 : $0 }
    }
}

extension UInt8 {
    /// Whether the byte never needs to be escaped (RFC 3986, section 2.3).
    fileprivate var isUnreserved: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "-._~".utf8.contains(self)
        }
    }
}
