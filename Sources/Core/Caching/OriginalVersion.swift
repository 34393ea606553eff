#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Which version of the original something was made from, and until when that version is known to be current.
///
/// Everything made of an original carries it, in memory and on disk, so that a picture that changed at its origin
/// takes all its thumbnails with it.
public struct OriginalVersion: Hashable, Sendable, Codable {
    /// Names the version: new bytes get a new name. For a local source, what its loader said.
    public var revision: String

    /// Whether the source is on this machine, so that its loader tells the present version at any time.
    public var isLocal: Bool

    /// Until when it may be used without asking its origin; `nil` for ever.
    public var expires: Date?

    /// Whether it may not be used after that, even when the origin is out of reach.
    public var mustRevalidate: Bool

    /// A version named `revision`.
    public init(revision: String, isLocal: Bool = false, expires: Date? = nil, mustRevalidate: Bool = false) {
        self.revision = revision
        self.isLocal = isLocal
        self.expires = expires
        self.mustRevalidate = mustRevalidate
    }
}
