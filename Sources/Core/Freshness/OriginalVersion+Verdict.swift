import DarkroomPlatform

/// The inputs of a freshness verdict besides the version and the clock.
protocol FreshnessContext {
    /// The options of the request.
    var context: ImageContext { get }

    /// Whether the source is on this machine.
    var isLocal: Bool { get }

    /// Returns whether `revision` is the current version of a local source.
    func isCurrentLocally(_ revision: String) -> Bool

    /// Returns the header fields that the loader would send now, with lowercase names, and the credentials that it would send
    /// to any hop of `route`.
    func requestFields(along route: SourceRoute?) -> [String: String]
}

// The only place that decides whether a cached entry may be used. `nil` is the version of an entry that has none.
extension OriginalVersion? {
    /// Returns the verdict on an entry made from this version.
    func verdict(for request: some FreshnessContext, at now: Date) -> CacheDecision {
        let use = request.context.cacheUse
        guard let version = self else { return use.prefersCaches ? .fresh(for: nil) : .bypassed(use) }
        if version.isLocal {
            guard use.prefersCaches else { return .bypassed(use) }
            return request.isCurrentLocally(version.revision) ? .local : .localChanged
        }
        return version.remoteVerdict(for: request, at: now)
    }

    /// Returns whether an entry made from this version may be used instead of failing with `error`, which occurred on
    /// revalidation.
    ///
    /// If the origin server cannot be reached, a stale image is better than none. If it responds with a server error, an
    /// image may be used only as long as its origin server has allowed (`stale-if-error`), even a fresh one, because only
    /// a refresh requests that.
    func allowsUse(after error: ImageError, for request: some FreshnessContext, at now: Date) -> Bool {
        let (context, error) = (request.context, error.cause)
        guard context.cacheUse != .loaderOnly, verdict(for: request, at: now) != .varies else { return false }
        guard let version = self else { return error.isUnreachable }
        // It was not loaded by a loader without local versions.
        guard !version.isLocal else { return error.isUnreachable && request.isLocal }
        guard context.freshnessPolicy == .server, let freshness = version.freshness(for: context) else {
            return error.isUnreachable
        }
        guard !freshness.mustRevalidate else { return false }
        let left = freshness.secondsLeft(at: now, for: context) ?? 0
        return error.isUnreachable
            || error.isServerError && freshness.staleIfError > .zero && -left < freshness.staleIfError.inSeconds
    }
}

extension OriginalVersion {
    fileprivate func remoteVerdict(for request: some FreshnessContext, at now: Date) -> CacheDecision {
        let context = request.context
        let use = context.cacheUse
        if use == .loaderOnly { return .bypassed(use) }
        let policy = context.freshnessPolicy
        if !varied.isEmpty {
            if !varied.match(request.requestFields(along: route)) { return .varies }
            if varied.isWildcard, policy == .server { return use == .cacheOnly ? .staleFromCacheOnly : .varies }
        }
        let freshness = freshness(for: context)
        let left = freshness?.secondsLeft(at: now, for: context)
        if left.map({ $0 > 0 }) ?? true {
            let revalidates = use == .refresh && policy != .immutable && freshness?.isImmutable != true
            return revalidates ? .bypassed(use) : .fresh(for: left.map { Duration(saturatingSeconds: $0) })
        }
        if use == .cacheOnly { return .staleFromCacheOnly }
        if use == .refresh { return .bypassed(use) }
        guard let freshness, let left else { return .expired(by: nil) }
        let excess = Duration(saturatingSeconds: -left)
        if !context.revalidatesStale, excess < freshness.staleWhileRevalidate(for: context) {
            return .staleWhileRevalidating(by: excess)
        }
        return .expired(by: policy == .server && freshness.expires == .distantPast ? nil : excess)
    }
}

extension Freshness {
    /// The number of seconds that the clock may have been set back. Beyond that, an entry confirmed in the future
    /// counts as stale.
    private static let clockSlack = 60.0

    /// Returns how long after expiry the entry may be used while it is revalidated.
    func staleWhileRevalidate(for context: ImageContext) -> Duration {
        guard context.freshnessPolicy == .server, !mustRevalidate else { return .zero }
        let isDeclared = expires != nil && !isHeuristic || redirectsExpire != nil
        return isDeclared ? staleWhileRevalidate : max(staleWhileRevalidate, context.defaultStaleWhileRevalidate)
    }

    /// Returns the number of seconds left until the entry expires, negative if it is stale; `nil` if it never expires.
    func secondsLeft(at now: Date, for context: ImageContext) -> Double? {
        let end: Date
        switch context.freshnessPolicy {
        case .immutable: return nil
        case .lifetime(let lifetime, _): end = confirmedAt + max(.zero, lifetime).inSeconds
        case .server:
            let standard = context.defaultLifetime.map { confirmedAt + max(.zero, $0).inSeconds }
            // A rule of the caller counts more than a guess from the date of the last change.
            guard let expires = isHeuristic ? standard ?? expires : expires ?? standard else { return nil }
            let isGuessed = isHeuristic && standard == nil
            let limit = isGuessed ? confirmedAt + context.heuristicLifetimeLimit.inSeconds : .distantFuture
            end = min(expires, limit, redirectsExpire ?? .distantFuture)
        }
        let left = end.timeIntervalSince(now)
        guard left > 0, now < confirmedAt - Self.clockSlack else { return left }
        return -.infinity
    }
}

extension CacheUse {
    /// Whether a usable cached image makes a call of the loader unnecessary.
    var prefersCaches: Bool { self == .standard || self == .cacheOnly }
}

extension ImageError {
    /// Whether the origin server could not be reached, or no file could be opened for that.
    var isUnreachable: Bool { [.network, .timedOut].contains(kind) || kind == .busy && stage == .load }

    /// Whether the origin server failed with one of the statuses of RFC 5861, section 4, so that the request is not at
    /// fault.
    var isServerError: Bool { kind == .status && [500, 502, 503, 504].contains(response?.status) }

    /// The original failure, if this error only refuses to try again; otherwise the error itself.
    var cause: ImageError { kind == .refused ? underlying as? ImageError ?? self : self }
}
