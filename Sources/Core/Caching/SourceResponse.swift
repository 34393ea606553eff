/// A response of the origin server of a source, as caches compare it with others of the same source.
public struct SourceResponse: Sendable {
    /// The source, as in ``CacheKey/source``.
    public let source: String

    /// The moment at which its load began. Of two responses, the one whose load began later is newer.
    public let moment: LoadMoment

    /// The identifier of its content, as in ``OriginalVersion/revision``; `nil` if it differs from all others.
    public let revision: String?

    /// Creates a response of `source`, whose load began at `moment`.
    public init(of source: String, at moment: LoadMoment, revision: String? = nil) {
        (self.source, self.moment, self.revision) = (source, moment, revision)
    }
}
