#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension OriginalVersion {
    /// What is decided about something made of this version of a source that is not on this machine, for a request with
    /// `context` that would send `fields`.
    func decision(for context: ImageContext, at now: Date, sending fields: () -> [String: String]) -> CacheDecision {
        let use = context.cacheUse
        if use == .loaderOnly { return .bypassed(use) }
        let policy = context.freshnessPolicy
        if !varied.isEmpty {
            if !varied.match(fields()) { return .varies }
            if varied.areAll, policy == .server { return use == .cacheOnly ? .staleFromCacheOnly : .varies }
        }
        let left = freshness?.secondsLeft(at: now, for: context)
        if left.map({ $0 > 0 }) ?? true {
            let asks = use == .refresh && policy != .immutable && freshness?.isImmutable != true
            return asks ? .bypassed(use) : .fresh(for: left)
        }
        if use == .cacheOnly { return .staleFromCacheOnly }
        if use == .refresh { return .bypassed(use) }
        guard let freshness, let left else { return .expired(by: nil) }
        if policy == .server, !freshness.mustRevalidate, !context.revalidatesStale,
            -left < freshness.staleWhileRevalidate
        {
            return .staleWhileRevalidating(by: -left)
        }
        return .expired(by: policy == .server && freshness.expires == .distantPast ? nil : -left)
    }

    /// Whether something made of this version is better than `error`, which came when its origin was asked.
    ///
    /// Pictures once seen show offline. An answer that is an error of the origin's own counts only where the origin said so.
    func isBetter(than error: ImageError, for context: ImageContext, at now: Date) -> Bool {
        let error = error.cause
        let policy = context.freshnessPolicy
        guard policy == .server else { return error.isAboutReach }
        guard let freshness else { return error.isAboutReach }
        guard !freshness.mustRevalidate else { return false }
        let left = freshness.secondsLeft(at: now, for: context) ?? 0
        return error.isAboutReach || error.isOriginFailure && -left < freshness.staleIfError
    }
}

extension Freshness {
    /// A clock that was set back by more seconds than this tells nothing about what came before.
    private static let clockSlack = 60.0

    /// For how many more seconds something is fresh, below 0 for how long it has not been; `nil` for ever.
    func secondsLeft(at now: Date, for context: ImageContext) -> Double? {
        let end: Date
        switch context.freshnessPolicy {
        case .immutable: return nil
        case .lifetime(let seconds, _): end = confirmedAt + (seconds > 0 ? seconds : 0)
        case .server:
            guard let expires else { return nil }
            end = isHeuristic ? min(expires, confirmedAt + context.heuristicLifetimeLimit) : expires
        }
        let left = end.timeIntervalSince(now)
        guard left > 0, now < confirmedAt - Self.clockSlack else { return left }
        return -.infinity
    }
}

extension ImageError {
    /// Whether the origin could not be asked at all.
    var isAboutReach: Bool { [.network, .timedOut].contains(kind) }

    /// Whether the origin is to blame, and not the request: the statuses of RFC 5861, section 4.
    var isOriginFailure: Bool { kind == .status && [500, 502, 503, 504].contains(response?.status) }

    /// The failure that a refusal to try again goes back to; of others, they themselves.
    var cause: ImageError { kind == .refused ? underlying as? ImageError ?? self : self }
}
