/// The key of an image in a cache: the source of the original, and the processing applied to it.
///
/// Equality and hashing use these two parts, never the text form: a URL may itself end in something like
/// `-Thumbnail(…)`.
public struct CacheKey: Sendable {
    /// The source of the image: the text that the key filters make from its URL.
    public let source: String

    /// The processing steps in order, such as `Thumbnail({180.000000,120.000000},1)`; empty for the original.
    ///
    /// Options of the request that affect the source come first, and are no steps: `Source(Palette(warm))`. The original has
    /// these parts, too.
    public let variant: [String]

    /// The hash of both parts. It is computed once, because every cache lookup needs it, and differs between processes.
    package let hash: Int

    /// Creates a key of these parts.
    public init(source: String, variant: [String] = []) { self.init(source: source, Variant(variant)) }

    init(source: String, _ variant: Variant) {
        self.source = source
        self.variant = variant.parts
        var hash = variant.hash
        hash.add(source)
        self.hash = Int(truncatingIfNeeded: hash.value)
    }

    /// The key of the original.
    public var original: CacheKey {
        isOriginal ? self : CacheKey(source: source, variant: Array(variant.prefix(sourcePartCount)))
    }

    /// Whether it is the key of an original.
    public var isOriginal: Bool { variant.count == sourcePartCount }

    /// The key of the source without any options, by which caches group the entries that are removed together.
    package var ofPlainSource: CacheKey { variant.isEmpty ? self : CacheKey(source: source) }

    private var sourcePartCount: Int {
        variant.firstIndex { !$0.startsWithBytes(of: Self.sourcePrefix) } ?? variant.count
    }

    private static let sourcePrefix = "Source("

    /// Returns the part of a variant for an option that affects the source.
    static func sourcePart(_ fragment: String) -> String { "\(sourcePrefix)\(fragment))" }
}

extension CacheKey: Hashable {
    /// Returns whether both parts are equal byte for byte. Canonically equivalent spellings differ, because they may
    /// name different files.
    public static func == (left: CacheKey, right: CacheKey) -> Bool {
        guard left.hash == right.hash, left.variant.count == right.variant.count else { return false }
        guard left.source.hasBytes(of: right.source) else { return false }
        for index in left.variant.indices where !left.variant[index].hasBytes(of: right.variant[index]) {
            return false
        }
        return true
    }

    /// Hashes the precomputed hash of both parts.
    public func hash(into hasher: inout Hasher) { hasher.combine(hash) }
}

extension CacheKey: Codable {
    private enum CodingKeys: CodingKey {
        case source, variant
    }

    /// Creates a key by decoding its two parts.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            source: try values.decode(String.self, forKey: .source),
            variant: try values.decode([String].self, forKey: .variant))
    }
}

extension CacheKey: CustomStringConvertible {
    /// The text form: the parts of the variant, joined by `-`, before the path extension of the source.
    ///
    /// The rule is that of SDWebImage's `SDTransformedKeyForKey`, except that the rest of the source stays unchanged.
    public var description: String { variant.isEmpty ? source : text(from: ParsedSource(source)) }

    /// The path extension of the text form, percent-decoded; empty if there is none.
    public var pathExtension: String { ParsedSource(description).pathExtension }

    /// The text form and its path extension, for the time of the former.
    package var textAndExtension: (text: String, pathExtension: String) {
        let parsed = ParsedSource(source)
        guard !variant.isEmpty else { return (source, parsed.pathExtension) }
        let text = text(from: parsed)
        // An escaped variant is a part of the name, unless it ends with a slash.
        let isEscaped = parsed.extensionDot != nil && parsed.isURL && !parsed.isFile
        let isKept = isEscaped && variant.last?.utf8.last != UInt8(ascii: "/")
        return (text, isKept ? parsed.pathExtension : ParsedSource(text).pathExtension)
    }

    private func text(from text: ParsedSource) -> String {
        let end = text.extensionDot ?? text.bytes.count
        let isEscaped = text.extensionDot != nil && text.isURL && !text.isFile
        var bytes = Array(text.bytes[..<end])
        bytes.reserveCapacity(text.bytes.count + variant.reduce(0) { $0 + $1.utf8.count + 16 })
        for part in variant {
            bytes.append(UInt8(ascii: "-"))
            if isEscaped { bytes.appendEscapedForPath(part) } else { bytes += part.utf8 }
        }
        bytes += text.bytes[end...]
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension [UInt8] {
    /// Appends `text` and percent-encodes bytes that are not allowed in a URL path, `%` included (RFC 3986, section
    /// 3.3).
    fileprivate mutating func appendEscapedForPath(_ text: String) {
        for byte in text.utf8 {
            if ParsedSource.isPathByte(byte) { append(byte) } else { appendPercentEscape(of: byte) }
        }
    }
}
