/// A request for an encoded result that is resolved once and used many times, for servers.
///
/// ``ImageManager/prepare(_:context:as:)`` has applied the defaults, run the processors and key filters, and chosen the
/// loader. The decisions of the loader on the URL and on cached entries are remembered, so its rules must not change.
public struct PreparedRequest: Sendable {
    let encoded: EncodedRequest

    /// The cache key of the file; `nil` if a key filter excludes it from all caches.
    public var key: CacheKey? { encoded.key }
}
