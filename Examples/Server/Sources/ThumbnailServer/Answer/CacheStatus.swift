import Darkroom

/// How an answer came about, for the field `Cache-Status` (RFC 9211).
enum CacheStatus: Sendable {
    /// It was there, fresh for so many seconds more, or below 0 past that.
    case hit(secondsLeft: Double)

    /// It was there and past its freshness, and is answered after its origin was asked.
    case renewed(CacheDecision)

    /// It was made. `isStale` tells that there was one that could not be used any more.
    case made(isStale: Bool, isStored: Bool, origin: LoadResult.Origin)

    /// The value of the field.
    var field: String {
        switch self {
        case .hit(let seconds): "darkroom; hit; ttl=\(Int(min(max(seconds, -1e9), 1e9)))"
        case .renewed(.revalidated): "darkroom; fwd=stale; fwd-status=304; stored"
        case .renewed(.unchanged): "darkroom; fwd=stale; fwd-status=200; stored; detail=unchanged"
        case .renewed(.staleOnError(let kind)): "darkroom; fwd=stale; detail=stale-on-error-\(kind.rawValue)"
        case .renewed: "darkroom; fwd=stale; stored"
        case .made(let isStale, let isStored, let origin):
            "darkroom; fwd=\(isStale ? "stale" : "uri-miss")\(isStored ? "; stored" : "")"
                + (origin == .network ? "" : "; detail=original-\(origin.rawValue)")
        }
    }

    /// A word for metrics.
    var label: String {
        switch self {
        case .hit(let seconds): seconds > 0 ? "hit" : "stale"
        case .renewed(.staleOnError): "stale"
        case .renewed: "revalidated"
        case .made: "miss"
        }
    }
}
