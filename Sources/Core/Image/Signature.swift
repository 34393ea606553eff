/// The bytes that files of a format start with.
public struct Signature: Hashable, Sendable {
    /// The bytes in order; `nil` where any byte will do.
    public let bytes: [UInt8?]

    /// A pattern of bytes, with `nil` for any.
    public init(_ bytes: [UInt8?]) { self.bytes = bytes }

    /// Whether `data` starts with this pattern.
    public func matches(_ data: some Collection<UInt8>) -> Bool {
        let start = data.prefix(bytes.count)
        return start.count == bytes.count && zip(bytes, start).allSatisfy { $0 == nil || $0 == $1 }
    }
}

extension Signature: ExpressibleByStringLiteral {
    /// A pattern as text of characters up to U+00FF, a byte each, with `?` for any byte: `"RIFF????WEBP"`. Any other
    /// character stands for its bytes in UTF-8.
    public init(stringLiteral text: String) {
        self.init(
            text.unicodeScalars.flatMap { scalar -> [UInt8?] in
                guard let byte = UInt8(exactly: scalar.value) else { return Array(scalar.utf8) }
                return [scalar == "?" ? nil : byte]
            })
    }
}
