/// What a cache knows a picture by: where it comes from, and what is made of it.
///
/// Equality and hashing use the two parts, never the text: a URL may itself end in something like `-Thumbnail(…)`.
public struct CacheKey: Sendable {
    /// What is loaded: the filtered URL, as text.
    public let source: String

    /// What is made of it, in order, such as `Thumbnail({180.000000,120.000000},1)`; empty for the original.
    public let variant: [String]

    /// Of both parts, made once, because each look into a cache needs it. Another one in the next process.
    package let hash: Int

    /// A key of these parts.
    public init(source: String, variant: [String] = []) { self.init(source: source, Variant(variant)) }

    init(source: String, _ variant: Variant) {
        self.source = source
        self.variant = variant.parts
        var hash = variant.hash
        hash.add(source)
        self.hash = Int(truncatingIfNeeded: hash.value)
    }

    /// The key of the original.
    public var original: CacheKey { variant.isEmpty ? self : CacheKey(source: source) }
}

extension CacheKey: Hashable {
    /// Whether both parts are equal byte for byte: two spellings of one letter may name two files.
    public static func == (left: CacheKey, right: CacheKey) -> Bool {
        guard left.hash == right.hash, left.variant.count == right.variant.count else { return false }
        guard left.source.hasBytes(of: right.source) else { return false }
        for index in left.variant.indices where !left.variant[index].hasBytes(of: right.variant[index]) {
            return false
        }
        return true
    }

    /// Hashes what was made of both parts before.
    public func hash(into hasher: inout Hasher) { hasher.combine(hash) }
}

extension CacheKey: Codable {
    private enum CodingKeys: CodingKey {
        case source, variant
    }

    /// Reads the two parts.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            source: try values.decode(String.self, forKey: .source),
            variant: try values.decode([String].self, forKey: .variant))
    }
}

extension CacheKey: CustomStringConvertible {
    /// The one text form: the parts of the variant, joined by `-`, before the path extension of the source.
    ///
    /// The rule is SDWebImage's `SDTransformedKeyForKey`, except that nothing else of the source changes.
    public var description: String {
        guard !variant.isEmpty else { return source }
        let text = SourceText(source)
        let place = text.extensionDot ?? text.bytes.count
        let isEscaped = text.extensionDot != nil && text.isURL && !text.isFile
        var bytes = Array(text.bytes[..<place])
        bytes.reserveCapacity(text.bytes.count + variant.reduce(0) { $0 + $1.utf8.count + 16 })
        for part in variant {
            bytes.append(UInt8(ascii: "-"))
            if isEscaped { bytes.appendEscapedForPath(part) } else { bytes += part.utf8 }
        }
        bytes += text.bytes[place...]
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The path extension of the text form, percent-decoded; empty when there is none.
    public var pathExtension: String {
        let text = SourceText(description)
        guard let dot = text.extensionDot else { return "" }
        let end = String(decoding: text.bytes[(dot + 1)..<text.nameEnd], as: UTF8.self)
        return text.isURL ? end.percentDecoded : end
    }
}

extension [UInt8] {
    /// Adds `text`, and escapes what may not stand in a URL's path, `%` included (RFC 3986, section 3.3).
    fileprivate mutating func appendEscapedForPath(_ text: String) {
        for byte in text.utf8 {
            if SourceText.isPathByte(byte) { append(byte) } else { appendPercentEscape(of: byte) }
        }
    }
}
