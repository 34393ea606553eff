import Darkroom

/// How an answer came about, for the field `Cache-Status` (RFC 9211).
enum CacheStatus: Sendable {
    /// It was there, fresh for so many seconds more, or below 0 past that.
    case hit(secondsLeft: Double)

    /// It was there, and its origin said that it still holds.
    case revalidated

    /// It was made. `isStale` tells that there was one that could not be used any more.
    case made(isStale: Bool, isStored: Bool, origin: LoadResult.Origin)

    /// The value of the field.
    var field: String {
        switch self {
        case .hit(let seconds): "darkroom; hit; ttl=\(Int(min(max(seconds, -1e9), 1e9)))"
        case .revalidated: "darkroom; fwd=stale; fwd-status=304; stored"
        case .made(let isStale, let isStored, let origin):
            "darkroom; fwd=\(isStale ? "stale" : "uri-miss")\(isStored ? "; stored" : "")"
                + (origin == .network ? "" : "; detail=original-\(origin.rawValue)")
        }
    }

    /// A word for metrics.
    var label: String {
        switch self {
        case .hit(let seconds): seconds > 0 ? "hit" : "stale"
        case .revalidated: "revalidated"
        case .made: "miss"
        }
    }
}
