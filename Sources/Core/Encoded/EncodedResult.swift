public import DarkroomPlatform

/// The result of ``ImageManager/encoded(_:context:as:onEvent:)``: an image file, with what a server needs to send it.
public struct EncodedResult: Sendable {
    /// The file and its metadata, which are shared with the cache.
    private let entry: DataEntry

    /// The bytes of the file.
    public var data: Data { entry.data }

    /// The description of the file: its format, size, frames and digest.
    public let file: EncodedFile

    /// The header of the original; `nil` if it is not known.
    public var info: ImageInfo? { entry.metadata.info }

    /// The version of the original that the file was made from; `nil` if its loader provided none.
    public var version: OriginalVersion? { entry.original }

    /// The cache key: that of the image, and one part more for the encoding. `nil` if a key filter excluded the result
    /// from all caches.
    public var key: CacheKey?

    /// The freshness that the result has left; `nil` if its origin server forbids storing it.
    public var freshness: RemainingFreshness?

    /// The source of the file, if `isCached`, and otherwise that of the image from which it was made.
    public var origin: LoadResult.Origin

    /// Whether the bytes come from a data cache. They may have been revalidated by the origin server; see the decision
    /// of the `report`.
    public var isCached = false

    /// Whether the result is stale, as ``LoadResult/isStale``.
    public var isStale = false

    /// The report of the load.
    public var report = LoadReport(decision: .missing)

    /// Creates the result for `request` from `entry`, whose file is described by `file`.
    init(_ entry: DataEntry, file: EncodedFile, key: CacheKey?, origin: LoadResult.Origin) {
        self.entry = entry
        self.file = file
        self.key = key
        self.origin = origin
    }
}
