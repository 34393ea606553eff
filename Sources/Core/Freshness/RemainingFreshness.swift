#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The freshness that a result has left, in the terms of the HTTP field `Cache-Control`.
public struct RemainingFreshness: Hashable, Sendable {
    /// The number of seconds until the result expires, negative if it is stale; `nil` if it does not expire, or its
    /// source is local.
    public var secondsLeft: Double?

    /// The number of seconds after expiry during which the result may be used while it is revalidated.
    public var staleWhileRevalidate = 0.0

    /// Whether the origin server restricts the result to a single user.
    public var isPrivate = false

    /// Creates a freshness with these seconds left.
    public init(secondsLeft: Double? = nil) { self.secondsLeft = secondsLeft }

    /// Creates the freshness that a result made from `version` has left at `now`.
    init(of version: OriginalVersion, for context: ImageContext, at now: Date) {
        guard !version.isLocal, let freshness = version.freshness else { return }
        secondsLeft = freshness.secondsLeft(at: now, for: context)
        staleWhileRevalidate = freshness.staleSecondsAllowed(for: context)
        isPrivate = freshness.isPrivate
    }
}
