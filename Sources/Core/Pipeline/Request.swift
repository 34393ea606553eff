import DarkroomPlatform
import Synchronization

/// A resolved request: with defaults filled in, processors applied, the thumbnail determined, and the key made.
///
/// It is a class, because thousands of callers may wait for one run, each with its request.
final class Request: Sendable {
    let url: URL

    /// The part of the request that its variations change.
    private let terms: Terms

    /// The key of the result; `nil` if a key filter excludes it from all caches.
    let key: CacheKey?

    /// The error of the processor that failed to rewrite the request, if any. Such a request gets neither a cached
    /// image nor a loaded one.
    var failure: ImageError? { boxedFailure as? ImageError }

    /// The loader that accepts the URL, whether or not it may be called now; `nil` if there is none.
    let loader: (any ImageLoader)?

    /// The answers of the loader so far.
    let loaderMemo: Mutex<LoaderMemo>

    /// The failure in a box, because most waiting requests have none.
    private let boxedFailure: (any Error)?

    /// Creates a request for `url` with `context`, completed by the defaults and processors of its manager.
    init(_ url: URL, context: ImageContext, pipeline: LoadPipeline) {
        var (url, context) = (url, context.withDefaults(pipeline.components.defaults))
        boxedFailure = pipeline.components.processors.process(url: &url, context: &context)
        context = context.withDecodingThumbnail()
        terms = Terms(context: context)
        self.url = url
        loader = pipeline.loader(for: url, context: context)
        loaderMemo = Mutex(LoaderMemo())
        var source = pipeline.keySource(of: url, context: context).map(UserInfo.hidden)
        if boxedFailure != nil { source = nil }
        key = source.map { [variant = context.variant] in CacheKey(source: $0, variant) }
    }

    private init(_ request: Request, terms: Terms) {
        self.terms = terms
        url = request.url
        loader = request.loader
        loaderMemo = Mutex(request.loaderMemo.withLock(\.forVariations))
        key = request.key
        boxedFailure = request.boxedFailure
    }

    /// Whether the result differs from the original.
    var isVariant: Bool { context.isVariant }

    /// Whether `image` is the result although no transformer has been applied: an animation that is not to be
    /// transformed.
    func leavesUntransformed(_ image: Image) -> Bool {
        image.animation != nil && !context.transformsAnimations && !context.transformers.isEmpty
    }

    /// The key of the result if it is an animation that is not to be transformed: that of the request without
    /// transformers. `nil` if all results have the same key.
    var untransformedAnimationKey: CacheKey? {
        guard let key, !context.transformsAnimations, !context.transformers.isEmpty else { return nil }
        var context = context
        context.transformers = []
        return CacheKey(source: key.source, context.variant)
    }

    /// Whether nobody waits for the result: it is a revalidation in the background.
    var isInBackground: Bool { context.revalidatesStale }

    /// The key of the original; `nil` if a key filter excludes it from all caches.
    var originalKey: CacheKey? {
        isVariant ? key.map { CacheKey(source: $0.source, context.sourceVariant) } : key
    }

    /// Whether the source of the URL depends on options of the request.
    var hasSourceOptions: Bool { !context.sourceVariant.parts.isEmpty }
}

// Variations of the same load.
extension Request {
    /// The properties in which variations of a request differ. None of the differences affects the key.
    private struct Terms {
        var context: ImageContext
        var sharedDecode: SharedDecode?
        var isScopedToURL = false
        var sharesResult = true
    }

    var context: ImageContext { terms.context }

    /// The decoded image from which several sizes of one call are made; `nil` for a separate load.
    var sharedDecode: SharedDecode? { terms.sharedDecode }

    /// Whether runs are shared only with requests for the same URL. A key filter may give other URLs the same key.
    var isScopedToURL: Bool { terms.isScopedToURL }

    /// Whether the result is looked for in the shared cache, if there is one.
    var sharesResult: Bool { terms.sharesResult }

    /// Returns this request as one of several that are made from one decoded image.
    func sharing(_ decode: SharedDecode) -> Request { varied { $0.sharedDecode = decode } }

    /// The same load, which shares runs only with requests for the same URL.
    var scopedToURL: Request { varied { $0.isScopedToURL = true } }

    /// The same load, whose result is not looked for in the shared cache.
    var keepingResult: Request { varied { $0.sharesResult = false } }

    /// The same load, bypassing all cache lookups.
    var loaderOnly: Request { with { $0.cacheUse = .loaderOnly } }

    /// The same load, from the caches only.
    var cacheOnly: Request { with { $0.cacheUse = .cacheOnly } }

    /// The same load, even if the URL failed recently.
    var retryingFailed: Request { with { $0.retriesFailed = true } }

    /// The same load, with previews.
    var withPreviews: Request { with { $0.deliversPreviews = true } }

    /// The same load, without previews.
    var withoutPreviews: Request { with { $0.deliversPreviews = false } }

    /// The same load at low priority, which waits for the revalidation of a stale image.
    var revalidating: Request {
        with {
            $0.revalidatesStale = true
            $0.deliversPreviews = false
            $0.priority = .low
        }
    }

    /// Returns this request with a context that is changed in ways that do not affect the key.
    func with(_ change: (inout ImageContext) -> Void) -> Request { varied { change(&$0.context) } }

    private func varied(_ change: (inout Terms) -> Void) -> Request {
        var terms = terms
        change(&terms)
        return Request(self, terms: terms)
    }
}

extension [any RequestProcessor] {
    /// Has each processor rewrite the request in turn. Returns the error of the one that failed, if any.
    fileprivate func process(url: inout URL, context: inout ImageContext) -> ImageError? {
        do {
            for processor in self { try processor.process(url: &url, context: &context) }
            return nil
        } catch {
            if let error = error as? ImageError { return error }
            return ImageError(.refused, .request, "the request could not be rewritten: \(error)", underlying: error)
        }
    }
}

extension ImageContext {
    /// Returns this context with a leading thumbnail transformer moved into `thumbnail`, so that both spellings have
    /// the same key and the thumbnail is applied once.
    fileprivate func withDecodingThumbnail() -> ImageContext {
        guard let first = transformers.first?.decodingThumbnail, thumbnail == nil || thumbnail == first else {
            return self
        }
        var context = self
        context.thumbnail = first
        context.transformers.removeFirst()
        return context
    }
}
