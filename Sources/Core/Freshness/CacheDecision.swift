/// What was decided about the picture that the caches have, or have not. Its description is for reports.
public enum CacheDecision: Hashable, Sendable {
    /// It was used without asking anybody, and may be for so many more seconds; `nil` for ever.
    case fresh(for: Double?)

    /// Its source is on this machine, and the same as when the picture was made.
    case local

    /// Its source is on this machine, and another one than when the picture was made.
    case localChanged

    /// It was past its freshness, and its origin answered that it still holds.
    case revalidated

    /// It was past its freshness, and its origin sent the same bytes again.
    case unchanged

    /// It was past its freshness, and its origin sent other bytes.
    case changed

    /// It was used past its freshness, by so many seconds, while its origin is asked in the background.
    case staleWhileRevalidating(by: Double)

    /// It was used past its freshness, because its origin could not be asked, or answered with an error of its own.
    case staleOnError(ImageError.Kind)

    /// It was used past its freshness, because only the caches may be asked.
    case staleFromCacheOnly

    /// It is past its freshness by so many seconds, and its origin is asked. `nil` when it may never be used unasked.
    case expired(by: Double?)

    /// It came for header fields other than those this request sends, and its `Vary` field names them.
    case varies

    /// The caches do not have it.
    case missing

    /// The request wants caches and loaders used in this way, whatever the caches have.
    case bypassed(CacheUse)

    /// The caches do not have it, and its origin forbids that they keep it.
    case notStored
}

extension CacheDecision: CustomStringConvertible {
    /// A few words, such as `fresh for 312 s` or `revalidated: 304`.
    public var description: String {
        switch self {
        case .fresh(let seconds): seconds.map { "fresh for \(Self.whole($0)) s" } ?? "fresh for ever"
        case .local: "local and unchanged"
        case .localChanged: "local and changed"
        case .revalidated: "revalidated: 304"
        case .unchanged: "revalidated: the same bytes"
        case .changed: "revalidated: changed"
        case .staleWhileRevalidating(let seconds): "stale for \(Self.whole(seconds)) s, revalidating in the background"
        case .staleOnError(let kind): "stale: the origin failed (\(kind))"
        case .staleFromCacheOnly: "stale: only the caches were asked"
        case .expired(let seconds): seconds.map { "expired \(Self.whole($0)) s ago" } ?? "to be revalidated each time"
        case .varies: "kept for other request fields"
        case .missing: "not in a cache"
        case .bypassed(let use): "bypassed: \(use.words)"
        case .notStored: "not in a cache: the origin forbids it"
        }
    }

    /// Seconds without their fraction; the largest number for what no number holds.
    private static func whole(_ seconds: Double) -> Int { Int(exactly: seconds.rounded(.down)) ?? .max }
}

extension CacheDecision {
    /// Whether what the caches have may be used without waiting for anybody.
    var allowsUse: Bool {
        switch self {
        case .fresh, .local, .staleWhileRevalidating, .staleFromCacheOnly: true
        default: false
        }
    }

    /// Whether what is delivered is past its freshness.
    var isStale: Bool {
        switch self {
        case .staleWhileRevalidating, .staleOnError, .staleFromCacheOnly: true
        default: false
        }
    }
}

extension CacheUse {
    fileprivate var words: String {
        switch self {
        case .standard: "standard"
        case .cacheOnly: "caches only"
        case .refresh: "refresh"
        case .loaderOnly: "loader only"
        }
    }
}
