/// The caches that serve one request: those of its context, or else those of the manager.
struct CacheSet: Sendable {
    private let request: Request
    private let pipeline: LoadPipeline

    init(for request: Request, in pipeline: LoadPipeline) {
        self.request = request
        self.pipeline = pipeline
    }

    /// The cache of decoded images, originals and results.
    var images: (any ImageCache)? {
        guard hasOwnImages else { return pipeline.images }
        return SplitImageCache.cache(
            ofOriginals: request.context.originalImageCache,
            results: request.context.imageCache ?? pipeline.components.imageCache)
    }

    /// Whether the request has image caches of its own.
    var hasOwnImages: Bool { request.context.originalImageCache != nil || request.context.imageCache != nil }

    /// The cache of encoded results.
    var results: (any DataCache)? { request.context.dataCache ?? pipeline.components.dataCache }

    /// The cache of originals.
    var originals: (any DataCache)? { ownOriginals ?? results }

    /// The data caches that may have entries of the request.
    var data: [any DataCache] { [results, ownOriginals].compactMap(\.self) }

    /// Whether all entries go to the same data caches as those of other requests.
    var areShared: Bool { request.context.dataCache == nil && request.context.originalCache == nil }

    /// Returns where the entry of `key` is being stored. The key of an original has no variant.
    func place(of key: CacheKey) -> PendingStores.Place {
        let isOwnOriginal = key.variant.isEmpty && request.context.originalCache != nil
        return PendingStores.Place(key: key, isOfContext: request.context.dataCache != nil || isOwnOriginal)
    }

    /// Whether originals have a data cache of their own.
    var hasOwnOriginals: Bool { ownOriginals != nil }

    /// The separate cache of originals; `nil` if they are stored with the results.
    private var ownOriginals: (any DataCache)? {
        if let cache = request.context.originalCache { return cache }
        // A request with a cache of its own leaves nothing in those of the manager.
        return request.context.dataCache == nil ? pipeline.components.originalCache : nil
    }
}
