#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What a verdict on something in a cache depends on besides its version and the clock.
protocol FreshnessInquiry {
    /// The values of the request.
    var context: ImageContext { get }

    /// The present version of a source on this machine; `nil` when it cannot be had.
    var localRevision: String? { get }

    /// The header fields that the loader would send now, with names in lower case.
    var requestFields: [String: String] { get }
}

// The only place that decides whether something in a cache may be used; `nil` is the version of what came without any.
extension OriginalVersion? {
    /// The verdict on something made of this version.
    func verdict(for inquiry: some FreshnessInquiry, at now: Date) -> CacheDecision {
        let use = inquiry.context.cacheUse
        guard let version = self else { return use.asksCachesFirst ? .fresh(for: nil) : .bypassed(use) }
        if version.isLocal {
            guard use.asksCachesFirst else { return .bypassed(use) }
            return inquiry.localRevision == version.revision ? .local : .localChanged
        }
        return version.remoteVerdict(for: inquiry, at: now)
    }

    /// Whether something made of this version is better than `error`, which came when its origin was asked.
    ///
    /// Pictures once seen show offline. An answer that is an error of the origin's own counts only where the origin said so.
    func isBetter(than error: ImageError, for inquiry: some FreshnessInquiry, at now: Date) -> Bool {
        let (context, error) = (inquiry.context, error.cause)
        guard context.cacheUse != .loaderOnly, verdict(for: inquiry, at: now) != .varies else { return false }
        guard let version = self else { return error.isAboutReach }
        // A loader that knows no local versions did not bring it.
        guard !version.isLocal else { return error.isAboutReach && inquiry.localRevision != nil }
        guard context.freshnessPolicy == .server, let freshness = version.freshness else { return error.isAboutReach }
        guard !freshness.mustRevalidate else { return false }
        let left = freshness.secondsLeft(at: now, for: context) ?? 0
        return error.isAboutReach || error.isOriginFailure && -left < freshness.staleIfError
    }
}

extension OriginalVersion {
    fileprivate func remoteVerdict(for inquiry: some FreshnessInquiry, at now: Date) -> CacheDecision {
        let context = inquiry.context
        let use = context.cacheUse
        if use == .loaderOnly { return .bypassed(use) }
        let policy = context.freshnessPolicy
        if !varied.isEmpty {
            if !varied.match(inquiry.requestFields) { return .varies }
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
}

extension Freshness {
    /// A clock that was set back by more seconds than this tells nothing about what came before.
    private static let clockSlack = 60.0

    /// The number of seconds for which something is still fresh, below 0 when it is stale; `nil` for ever.
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

extension CacheUse {
    /// Whether a usable picture in a cache keeps the loader from being asked.
    var asksCachesFirst: Bool { self == .standard || self == .cacheOnly }
}

extension ImageError {
    /// Whether the origin could not be asked at all.
    var isAboutReach: Bool { [.network, .timedOut].contains(kind) }

    /// Whether the origin is to blame, and not the request: the statuses of RFC 5861, section 4.
    var isOriginFailure: Bool { kind == .status && [500, 502, 503, 504].contains(response?.status) }

    /// The failure behind a refusal to try again; the error itself if it is another.
    var cause: ImageError { kind == .refused ? underlying as? ImageError ?? self : self }
}
