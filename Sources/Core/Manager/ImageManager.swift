#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Loads pictures: the one place that knows the order of caches, loaders, coders and transformers.
///
/// Its parts are fixed when it is made. Keep it for as long as you load: equal requests to one manager share their work.
public final class ImageManager: Sendable {
    /// The parts of a manager.
    public struct Components: Sendable {
        /// Where pictures come from; the last one that can load a URL does.
        public var loaders: [any ImageLoader] = []

        /// What turns a URL into the source of its cache key, in this order.
        public var keyFilters: [any CacheKeyFilter] = []

        /// What turns bytes into pixels and back.
        public var coders = CoderRegistry()

        /// Where decoded images are kept.
        public var imageCache: (any ImageCache)?

        /// Where encoded bytes are kept: originals as they came, and finished results.
        public var dataCache: (any DataCache)?

        /// Where originals are kept, if elsewhere than in `dataCache`.
        public var originalCache: (any DataCache)?

        /// What makes the bytes that are kept on disk; `nil` keeps originals as they came, and results in `resultFormat`.
        public var serializer: (any CacheSerializer)?

        /// What rewrites requests before anything else is done with them, in this order.
        public var processors: [any RequestProcessor] = []

        /// Who hears of all loads.
        public var observers: [any LoadObserver] = []

        /// Values for the keys that a request leaves unset.
        public var defaults = ImageContext()

        /// How finished stills are kept on disk. A format that loses nothing, neither alpha nor pixels; `nil` keeps none.
        ///
        /// Results that no installed coder can write in it are not kept. The default is PNG.
        public var resultFormat: ImageFormat? = .png

        /// Seconds for which a URL that failed is not tried again; `.infinity` for as long as the manager lives.
        public var failedURLLifetime = 60.0

        /// Where decoding, transforming and encoding run. The default has a thread for each core.
        public var workExecutor = WorkExecutor(name: "work", width: ProcessInfo.processInfo.activeProcessorCount)

        /// The memory that decoding may take, along with what the image cache holds. Managers and players may share one.
        ///
        /// The default is half of what this process may use, for this manager alone.
        public var memoryBudget = MemoryBudget()

        /// What time it is; tests have their own.
        var now: @Sendable () -> Date = { .roughNow }

        /// Adds `plugin`.
        public mutating func install(_ plugin: some ImagePlugin) { plugin.install(in: &self) }
    }

    let components: Components
    /// The image cache; one that has nothing when there is none.
    let memory: any ImageCache
    /// Whether requests mean what they say: nothing is added to them, nor rewritten, nor refused.
    let takesRequestsAsTheyAre: Bool
    /// Whether a loader may refuse a request.
    let restrictsAccess: Bool
    let originals = OriginalFlight(startsHere: true)
    let decodes = DecodeFlight(startsHere: true)
    let results = ResultFlight()
    let failedURLs: FailedURLs
    let pendingStores = PendingStores()
    let revalidations = Revalidations()

    /// A manager of the parts that `configure` puts together.
    ///
    /// Throws what `configure` throws, and an `ImageError` of kind `refused` when a value among the parts cannot work.
    public init(_ configure: (inout Components) throws -> Void) throws {
        var components = Components()
        try configure(&components)
        try components.validate()
        self.components = components
        memory = components.imageCache ?? NoImageCache()
        restrictsAccess = components.loaders.contains { $0.restrictsAccess }
        takesRequestsAsTheyAre = components.takeRequestsAsTheyAre && !restrictsAccess
        for tenant in components.imageCache?.memoryTenants ?? [] { components.memoryBudget.add(tenant) }
        failedURLs = FailedURLs(lifetime: components.failedURLLifetime)
    }

    /// The coders, for decoding and encoding outside a load.
    public var coders: CoderRegistry { components.coders }

    /// The key under which a load with `context` is kept; `nil` when a filter keeps it out of all caches.
    public func key(for url: URL, context: ImageContext = .init()) -> CacheKey? {
        Request(url, context, self).key
    }

    /// The image of `url` that is in memory and fresh, without waiting.
    public func cachedImage(for url: URL, context: ImageContext = .init()) -> Image? {
        let request = Request(url, context, self)
        guard let key = request.key, let (image, decision) = usableImage(for: key, request) else { return nil }
        if case .staleWhileRevalidating = decision { return nil }
        return image.scaled(request.context.scale)
    }

    /// Whether a cache has what a load with `context` would give, fresh or not, and may be asked; nothing is decoded.
    ///
    /// What was made of a local source that has changed, or came for other header fields, is not that.
    public func isCached(_ url: URL, context: ImageContext = .init()) async -> Bool {
        await isCached(Request(url, context, self))
    }

    func isCached(_ request: Request) async -> Bool {
        guard let key = request.key, [.standard, .cacheOnly].contains(request.context.cacheUse) else { return false }
        let tiers = request.context.cachePolicy.query
        if tiers.contains(.memory), let image = image(for: key, request),
            isUsable(image.metadata.original, request)
        {
            return true
        }
        guard tiers.contains(.disk) else { return false }
        if request.usesSharedCaches, let version = pendingStores.version(for: key), permits(version, request) {
            return true
        }
        let cache = request.isVariant ? dataCache(for: request) : originalCache(for: request)
        guard let entry = (try? await cache?.peek(at: key)) ?? nil, permits(entry.metadata.original, request) else {
            return false
        }
        return isUsable(entry.metadata.original, request)
    }

    private func isUsable(_ version: OriginalVersion?, _ request: Request) -> Bool {
        ![.localChanged, .varies].contains(decision(on: version, request))
    }

    /// Loads the picture at `url` as `context` wants it.
    ///
    /// An image in memory is answered without suspending. Otherwise equal requests share one run; cancelling the task
    /// leaves it at once, and ends it when nobody else is left.
    public func load(_ url: URL, context: ImageContext = .init()) async throws(ImageError) -> LoadResult {
        try await load(url, context: context, observer: nil)
    }

    /// Cancels all loads; their callers get an error of kind `cancelled`.
    public func cancelAll() {
        revalidations.cancelAll()
        results.cancelAll()
        decodes.cancelAll()
        originals.cancelAll()
    }

    /// Whether loads are under way.
    public var isRunning: Bool { runningCount > 0 }

    /// How many different pictures are being made.
    public var runningCount: Int { results.count }

    /// Returns when everything that was delivered so far is also kept, and revalidated if it was delivered before that.
    /// Call it before the process ends.
    public func waitForStores() async {
        await revalidations.wait()
        await pendingStores.wait()
    }

    /// Forgets that `url` failed.
    public func removeFailed(_ url: URL) {
        failedURLs.remove(url)
        if !components.processors.isEmpty { failedURLs.remove(Request(url, .init(), self).url) }
    }

    /// Forgets all failures.
    public func removeAllFailed() { failedURLs.removeAll() }

    /// Removes the original behind `url` and everything made of it from memory and disk.
    public func removeAll(of url: URL, context: ImageContext = .init()) async throws {
        let request = Request(url, context, self)
        if let failure = request.failure { throw failure }
        guard let source = request.key?.source else { return }
        imageCache(for: request)?.removeAll(ofSource: source)
        // What is still on its way would come back; and so would what a load finds on disk meanwhile.
        defer { imageCache(for: request)?.removeAll(ofSource: source) }
        await pendingStores.wait(forSource: source)
        for cache in dataCaches(for: request) { try await cache.removeAll(ofSource: source) }
    }
}

extension ImageManager.Components {
    fileprivate var takeRequestsAsTheyAre: Bool { processors.isEmpty && keyFilters.isEmpty && defaults.isEmpty }
}

/// Has no images.
private struct NoImageCache: ImageCache {
    func image(for key: CacheKey) -> Image? { nil }
    func store(_ image: Image, for key: CacheKey) {}
    func contains(_ key: CacheKey) -> Bool { false }
    func remove(_ key: CacheKey) {}
    func removeAll(ofSource source: String) {}
    func removeAll() {}
}
