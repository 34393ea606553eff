import Foundation

/// A URL's path that means the same to whoever reads it, in its one spelling.
struct CanonicalPath: Equatable {
    /// The path without escapes of unreserved characters, and with the digits of other escapes in upper case.
    private let bytes: [UInt8]

    /// How often escapes may be undone before none are left: servers behind proxies undo them twice.
    private static let depthLimit = 4

    /// The path of `url`; `nil` for one that has a segment `.` or `..`, whether escaped once or more often, with
    /// parameters behind it, or after a backslash, and for one that is not UTF-8 without its escapes.
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

    /// Whether this is `other`, or lies below it.
    func isAt(or other: CanonicalPath) -> Bool {
        let slash = UInt8(ascii: "/")
        guard !other.bytes.isEmpty, other.bytes != [slash] else { return true }
        guard bytes.starts(with: other.bytes) else { return false }
        return other.bytes.last == slash || bytes.count == other.bytes.count || bytes[other.bytes.count] == slash
    }

    /// Whether a segment of `path` is `.` or `..`.
    private static func hasDots(_ path: [UInt8]) -> Bool {
        path.split { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") }.contains { segment in
            let name = segment.prefix { $0 != UInt8(ascii: ";") }
            return name.elementsEqual(".".utf8) || name.elementsEqual("..".utf8)
        }
    }

    /// `path` with the bytes that escapes stand for, if `condition` holds for them; other escapes in upper case.
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
    /// The bytes with `A` to `F` in place of `a` to `f`.
    fileprivate var uppercased: [UInt8] {
        map { (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0) ? $0 & ~0x20 : $0 }
    }
}

extension UInt8 {
    /// Whether no escape is needed for the byte anywhere (RFC 3986, section 2.3).
    fileprivate var isUnreserved: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "-._~".utf8.contains(self)
        }
    }

    /// The four bits that the digit stands for.
    fileprivate var hexDigit: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
