#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A resolved request: with defaults filled in, processors applied, the thumbnail determined, and the key made.
///
/// It is a class, because thousands of callers may wait for one run, each with its request.
final class Request: Sendable {
    let url: URL
    let context: ImageContext

    /// The key of the result; `nil` if a key filter excludes it from all caches.
    let key: CacheKey?

    /// Why no processor could rewrite it. Such a request gets nothing from anywhere.
    var failure: ImageError? { boxedFailure as? ImageError }

    /// The failure in a box, because most of the many requests that wait have none.
    private let boxedFailure: (any Error)?

    /// The picture that several sizes of one call are made of; `nil` for a load of its own.
    let sharedDecode: SharedDecode?

    /// Whether it shares runs only with requests of its own URL: a key filter may give other URLs the same key.
    let isAlone: Bool

    /// The request for `url` with `context`, as the defaults and processors of its manager complete it.
    init(_ url: URL, context: ImageContext, pipeline: LoadPipeline) {
        var (url, context) = (url, context.withDefaults(pipeline.components.defaults))
        boxedFailure = pipeline.components.processors.process(&url, &context)
        self.context = context.withThumbnailDecoded()
        self.url = url
        let filters = self.context.keyFilters ?? pipeline.components.keyFilters
        var source = filters.isEmpty ? url.absoluteString : filters.source(of: url, context: self.context)
        if boxedFailure != nil { source = nil }
        key = source.map { [variant = self.context.variant] in CacheKey(source: $0, variant) }
        sharedDecode = nil
        isAlone = false
    }

    private init(_ request: Request, context: ImageContext, sharedDecode: SharedDecode?, isAlone: Bool) {
        self.isAlone = isAlone
        url = request.url
        key = request.key
        boxedFailure = request.boxedFailure
        self.context = context
        self.sharedDecode = sharedDecode
    }

    /// Whether the result differs from the original.
    var isVariant: Bool { !(key?.variant ?? context.variant.parts).isEmpty }

    /// The key of the original; `nil` if a key filter excludes it from all caches.
    var originalKey: CacheKey? { key?.original }
}

// Variations of the same load.
extension Request {
    /// This request as one of several that are made of one decoded picture.
    func sharing(_ decode: SharedDecode) -> Request {
        Request(self, context: context, sharedDecode: decode, isAlone: isAlone)
    }

    /// The same load, sharing runs only with requests of its own URL.
    var alone: Request { Request(self, context: context, sharedDecode: sharedDecode, isAlone: true) }

    /// The same load, bypassing all cache lookups.
    var loaderOnly: Request { with { $0.cacheUse = .loaderOnly } }

    /// The same load, from the caches only.
    var cacheOnly: Request { with { $0.cacheUse = .cacheOnly } }

    /// The same load, with previews.
    var withPreviews: Request { with { $0.previews = true } }

    /// The same load at low priority, which waits for the revalidation of a stale image.
    var revalidating: Request {
        with {
            $0.revalidatesStale = true
            $0.previews = false
            $0.priority = .low
        }
    }

    /// Returns this request with a context that is changed in ways that do not affect the key.
    private func with(_ change: (inout ImageContext) -> Void) -> Request {
        var context = context
        change(&context)
        return Request(self, context: context, sharedDecode: sharedDecode, isAlone: isAlone)
    }
}

extension [any RequestProcessor] {
    /// Has each processor rewrite the request in turn. Returns the error of the one that failed, if any.
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
    /// Returns the source that the filters make from `url`, applied in order; `nil` if one excludes it from the caches.
    fileprivate func source(of url: URL, context: ImageContext) -> String? {
        var source: String? = url.absoluteString
        for filter in self {
            guard let text = source else { break }
            source = filter.key(for: url, soFar: text, context: context)
        }
        return source
    }
}

extension ImageContext {
    /// Returns this context with a leading thumbnail transformer moved into `thumbnail`, so that both spellings have
    /// the same key and the thumbnail is applied once.
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
