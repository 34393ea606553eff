import DarkroomPlatform

// An image is cached under the requested URL, so each redirect hop on the way must still be fresh.
extension Freshness {
    /// The statuses of permanent redirects, which are heuristically cacheable (RFC 9110, section 15.1).
    private static let permanentRedirects: Set = [301, 308]

    /// Creates the freshness of `response`, limited by the `redirects` that led to it.
    init(of response: ResponseMetadata?, after redirects: [ResponseMetadata], sentAt: Date, receivedAt: Date) {
        self.init(of: response, sentAt: sentAt, receivedAt: receivedAt)
        for redirect in redirects {
            // The interval is that of the whole chain, so the age of a single hop is never underestimated.
            let freshness = Freshness(of: redirect, sentAt: sentAt, receivedAt: receivedAt)
            limit(by: freshness, isPermanent: Self.permanentRedirects.contains(redirect.status))
        }
    }

    /// Limits the freshness to that of a redirect hop. A hop without explicit freshness does not expire if it is
    /// permanent, and is good for this request only otherwise.
    private mutating func limit(by redirect: Freshness, isPermanent: Bool) {
        mustRevalidate = mustRevalidate || redirect.mustRevalidate
        isPrivate = isPrivate || redirect.isPrivate
        let declared = redirect.isHeuristic ? nil : redirect.expires
        guard let redirectEnd = declared ?? (isPermanent ? nil : .distantPast) else { return }
        isImmutable = isImmutable && redirect.isImmutable
        let ownEnd = expires ?? .distantFuture
        let end = min(ownEnd, redirectEnd)
        func allowed(_ allowance: KeyPath<Freshness, Duration>) -> Duration {
            // A context may replace a heuristic end by a later one.
            if isHeuristic { return min(self[keyPath: allowance], redirect[keyPath: allowance]) }
            let own = ownEnd + self[keyPath: allowance].inSeconds
            let other = redirectEnd + redirect[keyPath: allowance].inSeconds
            return Duration(saturatingSeconds: min(own, other).timeIntervalSince(end))
        }
        (staleWhileRevalidate, staleIfError) = (allowed(\.staleWhileRevalidate), allowed(\.staleIfError))
        if isHeuristic { redirectsExpire = min(redirectsExpire ?? .distantFuture, redirectEnd) }
        expires = end
    }
}
