/// A response of the origin server of a source, as caches compare it with others of the same source.
public struct SourceResponse: Sendable {
    /// The key of the original that it delivers.
    public let original: CacheKey

    /// The source, as in ``CacheKey/source``.
    public var source: String { original.source }

    /// The moment at which its load began. Of two responses, the one whose load began later is newer.
    public let moment: LoadMoment

    /// The identifier of its content, as in ``OriginalVersion/revision``; `nil` if it differs from all others.
    public let revision: String?

    /// Whether it replaces an original that its load has found, or was told not to look for.
    public var isReplacement = false

    /// Creates a response of `source`, whose load began at `moment`.
    public init(of source: String, at moment: LoadMoment, revision: String? = nil) {
        self.init(of: CacheKey(source: source), at: moment, revision: revision)
    }

    /// Creates a response with the original of the key `original`, whose load began at `moment`.
    public init(of original: CacheKey, at moment: LoadMoment, revision: String? = nil) {
        (self.original, self.moment, self.revision) = (original, moment, revision)
    }

    /// Returns whether the entry of `key` is the original that this response replaces, or was made from it. Other options
    /// of the same source may have other originals, which it says nothing about.
    public func replaces(_ key: CacheKey) -> Bool { key.source.hasBytes(of: source) && key.original == original }
}
