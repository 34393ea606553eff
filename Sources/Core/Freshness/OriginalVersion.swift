/// Which version of the original something was made from, and until when that version is known to be current.
///
/// Everything made of an original carries it, in memory and on disk, so that a picture that changed at its origin
/// takes all its thumbnails with it.
public struct OriginalVersion: Hashable, Sendable, Codable {
    /// Names the version: new bytes get a new name. For a local source, what its loader said.
    public var revision: String

    /// Whether the source is on this machine, so that its loader tells the present version at any time.
    public var isLocal: Bool

    /// What its origin said about using it again; `nil` when nobody was asked, which means for ever.
    public var freshness: Freshness?

    /// For which requests it is the right one.
    public var varied: VariedFields

    /// How its bytes were reached; `nil` when its loader did not tell. Only requests that could reach it so may have it.
    public var reach: SourceReach?

    /// A version named `revision`.
    public init(
        revision: String, isLocal: Bool = false, freshness: Freshness? = nil, varied: VariedFields = .init(),
        reach: SourceReach? = nil
    ) {
        self.revision = revision
        self.isLocal = isLocal
        self.freshness = freshness
        self.varied = varied
        self.reach = reach
    }
}
