public import DarkroomPlatform

/// The freshness that an origin server gives a response: RFC 9111 for a private cache, with RFC 5861 and RFC 8246.
public struct Freshness: Hashable, Sendable, Codable {
    /// The time when the response was received, or last confirmed by its origin server.
    public var confirmedAt: Date

    /// The time until which the response is fresh; `nil` if the origin server set none, so that it never expires.
    public var expires: Date?

    /// Whether `expires` is heuristic, computed from the date of the last change. The request's
    /// ``ImageContext/heuristicLifetimeLimit`` bounds it, and its ``ImageContext/defaultLifetime`` replaces it.
    public var isHeuristic = false

    /// The time until which the redirects that led to the response are fresh, if `expires` is heuristic; `nil` if none limits
    /// it. A lifetime that replaces `expires` ends no later.
    public var redirectsExpire: Date?

    /// Whether the response must not be used once it is stale, even if the origin server cannot be reached.
    public var mustRevalidate = false

    /// Whether the response is immutable: it is not revalidated before it expires, even by a forced refresh (RFC 8246).
    public var isImmutable = false

    /// Whether the response is meant for a single user. A private cache stores it all the same; a server that forwards
    /// it should also forward this restriction.
    public var isPrivate = false

    /// How long after expiry the stale response may be used while it is revalidated.
    public var staleWhileRevalidate = Duration.zero

    /// How long after expiry the stale response may be used if the origin server responds with a server error.
    public var staleIfError = Duration.zero

    /// Creates a freshness that never expires.
    public init(confirmedAt: Date) { self.confirmedAt = confirmedAt }

    /// Creates the freshness that the header fields of `response` declare, which was requested at `sentAt` and received
    /// at `receivedAt`.
    init(of response: ResponseMetadata?, sentAt: Date, receivedAt: Date) {
        self.init(confirmedAt: receivedAt)
        guard let headers = response?.headers else { return }
        let control = CacheControl(of: headers)
        mustRevalidate = control.has("must-revalidate") || control.requiresRevalidation
        isImmutable = control.has("immutable")
        isPrivate = control.isPrivate
        staleWhileRevalidate = control.duration("stale-while-revalidate") ?? .zero
        staleIfError = control.duration("stale-if-error") ?? .zero
        func read(_ name: String) -> Date? { headers[name].flatMap { Date(httpDate: $0, receivedAt: receivedAt) } }
        let date = read("date") ?? receivedAt
        let lifetime: Double
        if control.requiresRevalidation {
            expires = .distantPast
            return
        } else if let seconds = control.seconds("max-age") {
            lifetime = seconds
        } else if headers["expires"] != nil {
            // An invalid date, such as `0`, counts as already expired (section 5.3).
            lifetime = read("expires")?.timeIntervalSince(date) ?? 0
        } else if let modified = read("last-modified") {
            lifetime = max(0, date.timeIntervalSince(modified)) / 10
            isHeuristic = true
        } else {
            return
        }
        expires =
            receivedAt + lifetime - Self.age(field: headers["age"], date: date, sentAt: sentAt, receivedAt: receivedAt)
    }

    /// Returns the age of the response when it was received (section 4.2.3), corrected for clock skew by our own clock.
    private static func age(field: String?, date: Date, sentAt: Date, receivedAt: Date) -> Double {
        let declared = field.flatMap(CacheControl.age) ?? 0
        let delay = max(0, receivedAt.timeIntervalSince(sentAt))
        return max(0, receivedAt.timeIntervalSince(date), declared + delay)
    }
}
