import DarkroomPlatform

/// The freshness that a result has left, in the terms of the HTTP field `Cache-Control`.
public struct RemainingFreshness: Hashable, Sendable {
    /// The time until the result expires, negative if it is stale; `nil` if it does not expire, or its source is local.
    public var timeLeft: Duration?

    /// How long after expiry the result may be used while it is revalidated.
    public var staleWhileRevalidate = Duration.zero

    /// Whether the origin server restricts the result to a single user.
    public var isPrivate = false

    /// Creates a freshness with this time left.
    public init(timeLeft: Duration? = nil) { self.timeLeft = timeLeft }

    /// Creates the freshness that a result made from `version` has left at `now`.
    init(of version: OriginalVersion, for context: ImageContext, at now: Date) {
        guard !version.isLocal, let freshness = version.freshness(for: context) else { return }
        // Caches of single users may get it from this one.
        let left = [freshness, version.freshness].compactMap { $0?.secondsLeft(at: now, for: context) }.min()
        timeLeft = left.map { Duration(saturatingSeconds: $0) }
        staleWhileRevalidate = freshness.staleWhileRevalidate(for: context)
        isPrivate = freshness.isPrivate
    }
}
