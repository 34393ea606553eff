#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// A picture is kept under the URL that was asked for, so each redirect on the way must still be the right one.
extension Freshness {
    /// The statuses of redirects that hold as long as they do not say otherwise (RFC 9110, section 15.1).
    private static let lastingRedirects: Set = [301, 308]

    /// What `response` says, and the `redirects` that led to it allow.
    init(of response: ResponseMetadata?, after redirects: [ResponseMetadata], sentAt: Date, receivedAt: Date) {
        self.init(of: response, sentAt: sentAt, receivedAt: receivedAt)
        for redirect in redirects {
            // The first one came before all others, so nothing is older than it is taken for.
            let freshness = Freshness(of: redirect, sentAt: sentAt, receivedAt: receivedAt)
            limit(by: freshness, isLasting: Self.lastingRedirects.contains(redirect.status))
        }
    }

    /// Takes away what a redirect with the freshness `redirect` does not allow. One that says nothing of it is either
    /// lasting, or good for this once.
    private mutating func limit(by redirect: Freshness, isLasting: Bool) {
        mustRevalidate = mustRevalidate || redirect.mustRevalidate
        isPrivate = isPrivate || redirect.isPrivate
        let told = redirect.isHeuristic ? nil : redirect.expires
        guard let theirs = told ?? (isLasting ? nil : .distantPast) else { return }
        isImmutable = isImmutable && redirect.isImmutable
        let ours = expires ?? .distantFuture
        let end = min(ours, theirs)
        staleWhileRevalidate =
            min(ours + staleWhileRevalidate, theirs + redirect.staleWhileRevalidate).timeIntervalSince(end)
        staleIfError = min(ours + staleIfError, theirs + redirect.staleIfError).timeIntervalSince(end)
        expires = end
    }
}
