import Darkroom

/// The handling of a request by the caches, for the field `Cache-Status` (RFC 9211).
enum CacheStatus: Sendable {
    /// The result was cached, and expires in `timeLeft`; negative if it is stale, and `nil` if it does not expire.
    /// If it `isShared`, another server has stored it.
    case hit(timeLeft: Duration?, isShared: Bool)

    /// The cached result was stale, and was sent after an attempt to revalidate it.
    case revalidated(CacheDecision)

    /// The result was created, in place of a stale one if `isStale`.
    case miss(isStale: Bool, isStored: Bool, origin: LoadResult.Origin)

    /// Creates the status of `result`.
    init(_ result: EncodedResult) {
        let decision = result.report.decision
        switch (result.isCached, decision) {
        case (true, .revalidated), (true, .unchanged), (true, .staleOnError): self = .revalidated(decision)
        case (true, _):
            self = .hit(timeLeft: result.freshness?.timeLeft, isShared: result.origin == .sharedCache)
        case (false, _):
            let isStored = result.key != nil && result.version != nil && result.freshness != nil
            self = .miss(isStale: decision.replacesCached, isStored: isStored, origin: result.origin)
        }
    }

    /// The value of the field.
    var field: String {
        switch self {
        case .hit(let timeLeft, let isShared):
            "darkroom; hit"
                + (timeLeft.map { "; ttl=\(min(max($0.components.seconds, -1_000_000_000), 1_000_000_000))" } ?? "")
                + (isShared ? "; detail=shared" : "")
        case .revalidated(.revalidated): "darkroom; fwd=stale; fwd-status=304; stored"
        case .revalidated(.unchanged): "darkroom; fwd=stale; fwd-status=200; stored; detail=unchanged"
        case .revalidated(.staleOnError(let kind)): "darkroom; fwd=stale; detail=stale-on-error-\(kind.rawValue)"
        case .revalidated: "darkroom; fwd=stale; stored"
        case .miss(let isStale, let isStored, let origin):
            "darkroom; fwd=\(isStale ? "stale" : "uri-miss")\(isStored ? "; stored" : "")"
                + (origin == .network ? "" : "; detail=original-\(origin.rawValue)")
        }
    }

    /// The label for metrics.
    var label: String {
        switch self {
        case .hit(let timeLeft, let isShared): timeLeft ?? .seconds(1) <= .zero ? "stale" : isShared ? "shared" : "hit"
        case .revalidated(.staleOnError): "stale"
        case .revalidated: "revalidated"
        case .miss: "miss"
        }
    }
}

extension CacheDecision {
    /// Whether the caches contained a result or an original that could not be used as it was.
    fileprivate var replacesCached: Bool {
        switch self {
        case .changed, .localChanged, .unchanged, .revalidated, .staleOnError, .expired: true
        default: false
        }
    }
}
