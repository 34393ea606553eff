/// The decision on a cached image, or on the lack of one. Its description is meant for reports.
public enum CacheDecision: Hashable, Sendable {
    /// The image was used without contacting the origin server, and stays fresh for this long; `nil` for ever.
    case fresh(for: Duration?)

    /// The local source has not changed since the image was made.
    case local

    /// The local source has changed since the image was made.
    case localChanged

    /// The origin server confirmed the image with a 304.
    case revalidated

    /// The origin server sent the same bytes again.
    case unchanged

    /// The origin server sent different bytes.
    case changed

    /// The image was used although it expired this long ago, and is being revalidated in the background.
    case staleWhileRevalidating(by: Duration)

    /// The image was used although it is stale, because the origin server could not be reached or responded with a
    /// server error.
    case staleOnError(ImageError.Kind)

    /// The image was used although it is stale, because only the caches may be used.
    case staleFromCacheOnly

    /// The image expired this long ago and is being revalidated; `nil` if it must be revalidated before every
    /// use.
    case expired(by: Duration?)

    /// The image was fetched with other values of the header fields that its `Vary` field names.
    case varies

    /// The image is not in the caches.
    case missing

    /// The request prescribes this use of caches and loaders, whatever the caches have.
    case bypassed(CacheUse)

    /// The image is not in the caches, and its origin server forbids storing it.
    case notStored
}

extension CacheDecision: CustomStringConvertible {
    /// A short description, such as `fresh for 312 s` or `revalidated: 304`.
    public var description: String {
        switch self {
        case .fresh(let duration): duration.map { "fresh for \($0.components.seconds) s" } ?? "fresh for ever"
        case .local: "local and unchanged"
        case .localChanged: "local and changed"
        case .revalidated: "revalidated: 304"
        case .unchanged: "revalidated: the same bytes"
        case .changed: "revalidated: changed"
        case .staleWhileRevalidating(let duration):
            "stale for \(duration.components.seconds) s, revalidating in the background"
        case .staleOnError(let kind): "stale: the origin server failed (\(kind))"
        case .staleFromCacheOnly: "stale: only the caches may be used"
        case .expired(let duration):
            duration.map { "expired \($0.components.seconds) s ago" } ?? "to be revalidated each time"
        case .varies: "cached for other request fields"
        case .missing: "not in a cache"
        case .bypassed(let use): "bypassed: \(use.phrase)"
        case .notStored: "not in a cache: the origin server forbids it"
        }
    }
}

extension CacheDecision {
    /// Whether the cached image may be used without waiting.
    var allowsUse: Bool {
        switch self {
        case .fresh, .local, .staleWhileRevalidating, .staleFromCacheOnly: true
        default: false
        }
    }

    /// Whether the delivered image is stale.
    var isStale: Bool {
        switch self {
        case .staleWhileRevalidating, .staleOnError, .staleFromCacheOnly: true
        default: false
        }
    }
}

extension CacheUse {
    fileprivate var phrase: String {
        switch self {
        case .standard: "standard"
        case .cacheOnly: "caches only"
        case .refresh: "refresh"
        case .loaderOnly: "loader only"
        }
    }
}
