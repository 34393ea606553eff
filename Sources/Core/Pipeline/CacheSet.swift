/// The caches that serve one request: its own, or those of the manager.
struct CacheSet: Sendable {
    private let request: Request
    private let pipeline: LoadPipeline

    init(for request: Request, in pipeline: LoadPipeline) {
        self.request = request
        self.pipeline = pipeline
    }

    /// The cache of decoded images.
    var images: (any ImageCache)? { request.context.imageCache ?? pipeline.components.imageCache }

    /// The cache of encoded results.
    var results: (any DataCache)? { request.context.dataCache ?? pipeline.components.dataCache }

    /// The cache of originals.
    var originals: (any DataCache)? { ownOriginals ?? results }

    /// Each cache of bytes that may hold something of the request.
    var data: [any DataCache] { [results, ownOriginals].compactMap(\.self) }

    /// Whether its entries go where those of other requests go, so that an entry on its way there serves both.
    var areShared: Bool { request.context.dataCache == nil && request.context.originalCache == nil }

    /// The cache of originals, if they are stored elsewhere than results.
    private var ownOriginals: (any DataCache)? {
        request.context.originalCache ?? pipeline.components.originalCache
    }
}
