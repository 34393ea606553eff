#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// One load as the manager sees it: defaults filled in, thumbnail settled, key made.
struct Request: Sendable {
    let url: URL
    private(set) var context: ImageContext
    /// `nil` when no cache is to be used.
    let key: CacheKey?

    /// Why it could not be rewritten. Such a request gets nothing from anywhere.
    let failure: ImageError?

    /// The picture that several sizes of one call are made of; `nil` for a load of its own.
    private(set) var sharedDecode: SharedDecode?

    /// Takes the manager and not its components: copying all of these would take a tenth of a load from memory.
    init(_ url: URL, _ context: ImageContext, _ manager: ImageManager) {
        var (url, context) = (url, context.withDefaults(manager.components.defaults))
        var failure: ImageError?
        if !manager.components.processors.isEmpty {
            failure = manager.components.processors.process(&url, &context)
        }
        self.failure = failure
        self.context = context.withThumbnailDecoded()
        self.url = url
        let filters = self.context.keyFilters ?? manager.components.keyFilters
        guard failure == nil else {
            key = nil
            return
        }
        let source = filters.isEmpty ? url.absoluteString : filters.source(of: url, self.context)
        if let source { key = CacheKey(source: source, self.context.variant) } else { key = nil }
    }

    /// This request, with another context that has the same key.
    private func with(_ change: (inout ImageContext) -> Void) -> Request {
        var request = self
        change(&request.context)
        return request
    }

    /// This request as one of several that are made of one decoded picture.
    func sharing(_ decode: SharedDecode) -> Request {
        var request = self
        request.sharedDecode = decode
        return request
    }

    /// Whether the result is something else than the original.
    var isVariant: Bool { !(key?.variant ?? context.variant.parts).isEmpty }

    /// The same load, past all caches.
    var pastCaches: Request { with { $0.cacheUse = .loaderOnly } }

    /// The same load, of what the caches have.
    var fromCaches: Request { with { $0.cacheUse = .cacheOnly } }

    /// The same load, with previews.
    var withPreviews: Request { with { $0.previews = true } }

    /// The same load, which waits for the origin of what is stale, and is in nobody's way.
    var revalidating: Request {
        with {
            $0.revalidatesStale = true
            $0.previews = false
            $0.priority = .low
        }
    }

    /// What requests must have in common to share the making of a result.
    var resultFlight: FlightKey {
        FlightKey(
            key: key ?? CacheKey(source: url.absoluteString, context.variant), context, isCached: key != nil)
    }

    /// Like `resultFlight`, but only for requests of the same URL.
    var ownFlight: FlightKey {
        FlightKey(
            key: CacheKey(source: url.absoluteString, context.variant), context, isCached: true, url: url)
    }

    /// What requests must have in common to share the fetching of an original.
    var originalFlight: FlightKey {
        // Where the original of a plain load is looked for and kept is another question when the policy is not the default.
        let url = isVariant && context.cachePolicy != CachePolicy() ? url : nil
        return FlightKey(
            key: key?.original ?? CacheKey(source: self.url.absoluteString), context, isCached: key != nil, url: url)
    }

    /// Like `originalFlight`, but only for requests of the same URL.
    var ownOriginalFlight: FlightKey {
        FlightKey(
            key: key?.original ?? CacheKey(source: url.absoluteString), context, isCached: key != nil, url: url)
    }

    /// What requests must have in common to share decoding the original: all but what is done to the pixels afterwards.
    func decodeFlight(of original: Original) -> FlightKey {
        var context = context
        context.transformers = []
        return FlightKey(
            key: CacheKey(source: key?.source ?? url.absoluteString, context.variant), context,
            isCached: key != nil, revision: original.version?.revision)
    }

    /// Where the original is looked for.
    var originalQuery: CachePolicy.Tiers {
        isVariant ? context.cachePolicy.originalQuery : context.cachePolicy.query
    }

    /// Where the original is kept.
    var originalStore: CachePolicy.Tiers {
        let policy = context.cachePolicy
        return isVariant ? policy.originalStore : policy.originalStore.union(policy.store)
    }
}

/// The key of a shared run: the cache key, and whatever else may make one request fail where another does not.
///
/// A class, so that it takes little room in what waits for a run.
final class FlightKey: Hashable, Sendable {
    private let key: CacheKey
    private let fragments: [String]
    private let isCached: Bool
    private let url: URL?
    private let revision: String?

    @inline(never)
    init(
        key: CacheKey, _ context: ImageContext, isCached: Bool, url: URL? = nil, revision: String? = nil
    ) {
        self.key = key
        self.url = url
        self.revision = revision
        self.isCached = isCached
        let variant = Set(context.variant.parts)
        fragments = context.flightFragments.filter { !variant.contains($0) }
    }

    static func == (left: FlightKey, right: FlightKey) -> Bool {
        left === right
            || left.key == right.key && left.isCached == right.isCached && left.url == right.url
                && left.revision == right.revision
                && left.fragments.elementsEqual(right.fragments) { $0.hasBytes(of: $1) }
    }

    func hash(into hasher: inout Hasher) { hasher.combine(key) }
}

extension [any RequestProcessor] {
    /// Has all of them rewrite a request, one after the other; why one could not, if so.
    fileprivate func process(_ url: inout URL, _ context: inout ImageContext) -> ImageError? {
        do {
            for processor in self { try processor.process(&url, &context) }
            return nil
        } catch {
            if let error = error as? ImageError { return error }
            return ImageError(.refused, .request, "the request could not be rewritten: \(error)", underlying: error)
        }
    }
}

extension [any CacheKeyFilter] {
    /// What all of them make of `url`, one after the other; `nil` when one wants no cache.
    fileprivate func source(of url: URL, _ context: ImageContext) -> String? {
        var source: String? = url.absoluteString
        for filter in self {
            guard let text = source else { break }
            source = filter.key(for: url, soFar: text, context: context)
        }
        return source
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
