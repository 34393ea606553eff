import DarkroomPlatform

/// A response without an image whose origin server, or its status, allows to reuse it (RFC 9111, section 3): the same
/// request gets it again for a while, without asking the origin server.
struct Refusal: Sendable {
    /// The statuses that may be reused for a heuristic lifetime (RFC 9110, section 15.1).
    private static let heuristicStatuses: Set = [204, 404, 405, 410, 414, 501]

    /// The longest lifetime in seconds: the image may appear before the origin server expected it.
    private static let longestLifetime = 3600.0

    /// The time until which the response is fresh.
    let expires: Date

    private let varied: VariedFields
    private let credentials: [String]?

    /// Creates the refusal that `error` is for `request`, received at `now`; `nil` if the response says nothing about
    /// its freshness, must not be stored, or came from another URL, whose redirect may end earlier.
    ///
    /// It has already expired if the response is stale.
    init?(_ error: ImageError, of request: Request, requestFields: [String: String], at now: Date) {
        guard error.kind == .status, let response = error.response, ![206, 304].contains(response.status),
            response.url.absoluteString.hasBytes(of: request.url.absoluteString)
        else { return nil }
        let freshness = Freshness(of: response, sentAt: now, receivedAt: now)
        let control = CacheControl(of: response.headers)
        guard let end = freshness.expires, !control.has("no-store") else { return nil }
        if freshness.isHeuristic {
            guard Self.heuristicStatuses.contains(response.status) || control.has("public") else { return nil }
        }
        expires = min(end, now + Self.longestLifetime)
        varied = VariedFields(of: response, sent: requestFields)
        credentials = request.credentials
    }

    /// Returns whether `request`, which would send `requestFields`, gets this response at `now`.
    func answers(_ request: Request, requestFields: @autoclosure () -> [String: String], at now: Date) -> Bool {
        now < expires && request.context.cacheUse.prefersCaches && request.credentials == credentials
            && !varied.isWildcard && (varied.isEmpty || varied.match(requestFields()))
    }
}
