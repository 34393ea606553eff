/// The byte pattern with which files of a format start.
public struct Signature: Hashable, Sendable {
    /// The bytes in order; `nil` matches any byte.
    public let bytes: [UInt8?]

    /// Creates a pattern, in which `nil` matches any byte.
    public init(_ bytes: [UInt8?]) { self.bytes = bytes }

    /// Returns whether `data` starts with this pattern.
    @inlinable public func matches(_ data: some Collection<UInt8>) -> Bool {
        var rest = data.makeIterator()
        for byte in bytes {
            guard let next = rest.next(), byte == nil || byte == next else { return false }
        }
        return true
    }
}

extension Signature: ExpressibleByStringLiteral {
    /// Creates a pattern such as `"RIFF????WEBP"`, in which `?` matches any byte, and every other character up to
    /// U+00FF stands for the byte of its value. Characters beyond stand for their UTF-8 bytes.
    public init(stringLiteral text: String) {
        self.init(
            text.unicodeScalars.flatMap { scalar -> [UInt8?] in
                guard let byte = UInt8(exactly: scalar.value) else { return Array(scalar.utf8) }
                return [scalar == "?" ? nil : byte]
            })
    }
}
