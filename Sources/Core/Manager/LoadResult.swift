#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A picture that was loaded.
public struct LoadResult: Sendable {
    /// Where a picture came from.
    public enum Origin: String, Hashable, Sendable {
        /// A loader brought it over the network.
        case network
        /// The very bytes were on disk.
        case disk
        /// The very image was in memory.
        case memory
        /// It was made of the original bytes that were on disk.
        case original
        /// A file, a data URL or another source on this machine.
        case local
    }

    /// The picture.
    public var image: Image

    /// What caches know it by; `nil` when a filter kept it out of them.
    public var key: CacheKey?

    /// Where it came from.
    public var origin: Origin

    /// The bytes it was decoded from, when they are those of exactly this picture: not for a thumbnail or transformed
    /// picture that was just made, and not from memory.
    public var encodedData: Data?

    /// Whether it is past its freshness: it is shown while its origin is asked, because that could not be reached or
    /// failed, or because only the caches may be asked.
    public var isStale = false

    /// Whether it is of another size than was asked for, because the deadline came first.
    public var isSmaller = false

    /// How the load went.
    public var report = LoadReport(decision: .missing)
}
