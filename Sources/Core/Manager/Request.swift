#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// One load as the manager sees it: defaults filled in, thumbnail settled, key made.
struct Request: Sendable {
    let url: URL
    let context: ImageContext
    /// `nil` when no cache is to be used.
    let key: CacheKey?

    init(_ url: URL, _ context: ImageContext, _ components: ImageManager.Components) {
        self.url = url
        let context = context.withDefaults(components.defaults).withThumbnailDecoded()
        self.context = context
        var source: String? = url.absoluteString
        for filter in components.keyFilters {
            guard let text = source else { break }
            source = filter.key(for: url, soFar: text, context: context)
        }
        key = source.map { CacheKey(source: $0, variant: context.variant) }
    }

    private init(url: URL, context: ImageContext, key: CacheKey?) {
        self.url = url
        self.context = context
        self.key = key
    }

    /// Whether the result is something else than the original.
    var isVariant: Bool { !(key?.variant ?? context.variant).isEmpty }

    /// The same load, past all caches.
    var pastCaches: Request {
        var context = context
        context.cacheUse = .loaderOnly
        return Request(url: url, context: context, key: key)
    }

    /// What requests must have in common to share the making of a result.
    var resultFlight: FlightKey {
        FlightKey(
            key: key ?? CacheKey(source: url.absoluteString, variant: context.variant), context, isCached: key != nil)
    }

    /// Like `resultFlight`, but only for requests of the same URL.
    var ownFlight: FlightKey {
        FlightKey(
            key: CacheKey(source: url.absoluteString, variant: context.variant), context, isCached: true, url: url)
    }

    /// What requests must have in common to share the fetching of an original.
    var originalFlight: FlightKey {
        FlightKey(key: key?.original ?? CacheKey(source: url.absoluteString), context, isCached: key != nil)
    }
}

/// The key of a shared run: the cache key, and whatever else may make one request fail where another does not.
struct FlightKey: Hashable, Sendable {
    private let key: CacheKey
    private let fragments: [String]
    private let isCached: Bool
    private let url: URL?

    init(key: CacheKey, _ context: ImageContext, isCached: Bool, url: URL? = nil) {
        self.key = key
        self.url = url
        self.isCached = isCached
        let variant = Set(context.variant)
        fragments = context.flightFragments.filter { !variant.contains($0) }
    }
}

extension ImageContext {
    /// This context with a leading thumbnail transformer turned into `thumbnail`, so that both ways have one key and count once.
    fileprivate func withThumbnailDecoded() -> ImageContext {
        guard let first = transformers.first?.decodingThumbnail, thumbnail == nil || thumbnail == first else {
            return self
        }
        var context = self
        context.thumbnail = first
        context.transformers.removeFirst()
        return context
    }
}
