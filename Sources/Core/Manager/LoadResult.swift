public import DarkroomPlatform

/// The result of a load.
public struct LoadResult: Sendable {
    /// The source of an image.
    public enum Origin: String, Hashable, Sendable, CaseIterable {
        /// The network, through a loader.
        case network
        /// The data cache, which had exactly these bytes.
        case disk
        /// The image cache, which had exactly this image.
        case memory
        /// The original in the data cache, from which it was made.
        case original
        /// The cache shared with other nodes, which had exactly this image or its original.
        case sharedCache = "shared"
        /// A file, a data URL or another source on this machine.
        case local
    }

    /// The URL of the image, as the processors of the request have rewritten it.
    public var url: URL

    /// The image.
    public var image: Image

    /// The cache key; `nil` if a key filter excluded the image from all caches.
    public var key: CacheKey?

    /// The source of the image.
    public var origin: Origin

    /// The encoded bytes of exactly this image, if it was decoded from them. `nil` for an image from memory, and for a
    /// thumbnail or transformed image that was just made.
    public var encodedData: Data?

    /// The original from which the image was just made, for a file that is made of the result.
    var original: Data?

    /// The memory that was reserved for making the image, until such a file is made.
    var reservations: [MemoryBudget.Reservation] = []

    /// Whether the image is stale. Stale images are delivered while the origin server revalidates them, after the
    /// origin server could not be reached or failed, and when only the caches may be used.
    public var isStale = false

    /// Whether the image has another size than requested, because the deadline expired first.
    public var isSubstitute = false

    /// The report of the load.
    public var report = LoadReport(decision: .missing)
}
