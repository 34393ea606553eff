public import DarkroomPlatform

/// The permissions of a response for caches that several users share, as far as they differ from those of a private cache
/// (RFC 9111, sections 3 and 5.2.2).
public struct SharingRules: Hashable, Sendable, Codable {
    /// Whether a shared cache must not store the response: because it is private, sets cookies, or was requested with
    /// credentials.
    public var isForbidden = false

    /// The time until which the response is fresh in a shared cache (`s-maxage`); `nil` if it is the same as in a
    /// private one.
    public var expires: Date?

    /// Whether a shared cache must not use the stale response without revalidation (`proxy-revalidate`, `s-maxage`).
    public var mustRevalidate = false

    /// Creates the rules of a response that declares nothing for shared caches.
    public init() {}

    /// Creates the rules that `response` and the `redirects` that led to it declare. It was requested with
    /// `requestFields` at `sentAt`, and received at `receivedAt`.
    init(
        of response: ResponseMetadata?, after redirects: [ResponseMetadata], requestFields: [String: String],
        times: (sentAt: Date, receivedAt: Date)
    ) {
        isForbidden = Self.credentials.contains { requestFields[$0] != nil }
        for hop in [response].compactMap(\.self) + redirects {
            let control = CacheControl(of: hop.headers)
            isForbidden = isForbidden || control.isPrivate || hop.headers["set-cookie"] != nil
            mustRevalidate = mustRevalidate || control.has("proxy-revalidate") || control.has("s-maxage")
        }
        let chain = [response].compactMap(\.self) + redirects
        guard chain.contains(where: { CacheControl(of: $0.headers).has("s-maxage") }) else { return }
        expires =
            Freshness(
                of: response?.forSharedCache, after: redirects.map(\.forSharedCache), sentAt: times.sentAt,
                receivedAt: times.receivedAt
            ).expires
    }

    /// The fields that identify the user.
    private static let credentials = ["authorization", "cookie"]
}

extension OriginalVersion {
    /// The version as a shared cache stores it; `nil` if it must not.
    package var shared: OriginalVersion? {
        guard !isLocal, !sharing.isForbidden, freshness?.isPrivate != true, route?.usesCredentials != true else {
            return nil
        }
        var version = self
        version.freshness = sharedFreshness
        return version
    }

    /// Returns the freshness in the caches of an app that loads with `context`.
    func freshness(for context: ImageContext) -> Freshness? {
        context.servesSeveralUsers ? sharedFreshness : freshness
    }

    /// The freshness in a cache that several users share.
    private var sharedFreshness: Freshness? {
        guard var shared = freshness else { return nil }
        if sharing.mustRevalidate { shared.mustRevalidate = true }
        guard let end = sharing.expires else { return shared }
        (shared.expires, shared.isHeuristic, shared.redirectsExpire) = (end, false, nil)
        return shared
    }
}

extension ResponseMetadata {
    /// The response with the lifetime that it has in a shared cache.
    fileprivate var forSharedCache: ResponseMetadata {
        let control = CacheControl(of: headers)
        guard let seconds = control.seconds("s-maxage"), !control.requiresRevalidation else { return self }
        var metadata = self
        // Of several directives with one name, the first counts.
        metadata.headers["cache-control"] = "max-age=\(Int(saturating: seconds)), " + (headers["cache-control"] ?? "")
        return metadata
    }
}
