#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension ImageManager {
    /// The parts of a manager.
    public struct Components: Sendable {
        /// The loaders; the last one that takes a URL loads it.
        public var loaders: [any ImageLoader] = []

        /// The filters that turn a URL into the source of its cache key, in this order.
        public var keyFilters: [any CacheKeyFilter] = []

        /// The coders, which turn bytes into pixels and back.
        public var coders = CoderRegistry()

        /// The cache of decoded images.
        public var imageCache: (any ImageCache)?

        /// The cache of encoded bytes: originals as they came, and finished results.
        public var dataCache: (any DataCache)?

        /// The cache of originals, if they are stored elsewhere than in `dataCache`.
        public var originalCache: (any DataCache)?

        /// The serializer of what is stored on disk; `nil` stores originals as they came, and results in `resultFormat`.
        public var serializer: (any CacheSerializer)?

        /// The processors that rewrite each request before anything else is done with it, in this order.
        public var processors: [any RequestProcessor] = []

        /// The observers of all loads.
        public var observers: [any LoadObserver] = []

        /// Values for the keys that a request leaves unset.
        public var defaults = ImageContext()

        /// The format in which finished stills are stored on disk: one that loses neither alpha nor pixels. `nil` stores none.
        ///
        /// Results that no installed coder can write in it are not stored. The default is PNG.
        public var resultFormat: ImageFormat? = .png

        /// The seconds for which a URL that failed is not tried again; `.infinity` for as long as the manager lives.
        public var failedURLLifetime = 60.0

        /// The threads on which decoding, transforming and encoding run. The default has one for each core.
        public var workExecutor = WorkExecutor(name: "work", width: ProcessInfo.processInfo.activeProcessorCount)

        /// The memory that decoding may take, together with what the image cache holds. Managers and players may share one.
        ///
        /// The default is half of what this process may use, for this manager alone.
        public var memoryBudget = MemoryBudget()

        /// The clock that freshness is judged by; tests have their own.
        var now: @Sendable () -> Date = { .roughNow }

        /// Adds `plugin`.
        public mutating func install(_ plugin: some ImagePlugin) { plugin.install(in: &self) }
    }
}
