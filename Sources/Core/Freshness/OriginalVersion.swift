/// The version of the original that an entry was made from, and its freshness.
///
/// Every result carries the version of its original, in memory and on disk. When the original changes at its source,
/// all thumbnails made from it become outdated, too.
public struct OriginalVersion: Hashable, Sendable, Codable {
    /// The identifier of the version. For bytes from an origin server it is a digest of them, so equal bytes have equal
    /// identifiers, on all machines. For a local source, the loader provides it.
    public var revision: String

    /// Whether the source is on this machine, so that its loader can provide the current version at any time.
    public var isLocal: Bool

    /// The freshness that the origin server declared; `nil` if there was none, which means for ever.
    public var freshness: Freshness?

    /// The request header fields on which the response depends, with the values sent.
    public var varied: VariedFields

    /// The route by which the bytes were fetched; `nil` if the loader did not report it. Only requests that could take
    /// this route may use the entry.
    public var route: SourceRoute?

    /// The permissions of the response for caches that several users share.
    public var sharing = SharingRules()

    /// Creates a version with the identifier `revision`.
    public init(
        revision: String, isLocal: Bool = false, freshness: Freshness? = nil, varied: VariedFields = .init()
    ) {
        self.revision = revision
        self.isLocal = isLocal
        self.freshness = freshness
        self.varied = varied
    }
}
