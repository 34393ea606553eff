public import DarkroomPlatform

extension ImageManager {
    /// The components of a manager.
    public struct Components: Sendable {
        /// The loaders. The last one that accepts a URL loads it.
        public var loaders: [any ImageLoader] = []

        /// The filters that turn a URL into the source of its cache key, in order of application.
        public var keyFilters: [any CacheKeyFilter] = []

        /// The registry of coders, which decode and encode images.
        public var coders = CoderRegistry()

        /// The cache of decoded images.
        public var imageCache: (any ImageCache)?

        /// The cache of encoded data: originals as received, and finished results.
        public var dataCache: (any DataCache)?

        /// The cache of originals; `nil` stores them in `dataCache`.
        public var originalCache: (any DataCache)?

        /// The cache shared with other nodes, and the leases by which they divide the work; `nil`, the default, for none.
        public var shared: SharedCaching?

        /// The serializer of data cache entries; `nil` stores originals as received, and results in `resultFormat`.
        public var serializer: (any CacheSerializer)?

        /// The processors that rewrite each request before anything else happens, in order of application.
        public var processors: [any RequestProcessor] = []

        /// The observers of all loads.
        public var observers: [any LoadObserver] = []

        /// The values for the keys that a request leaves unset.
        public var defaults = ImageContext()

        /// The rule for the format in which finished results are stored on disk, at ``DefaultQuality/stored(at:)``; `nil`
        /// stores none. It should preserve alpha and frames.
        ///
        /// A result is not stored if no installed coder can encode it in this format. The encoding options of a context,
        /// such as its quality, do not apply: they belong to encoded results. The default is
        /// ``EncodedFormat/visuallyLossless``, with which an image that is stored in place of an original is a PNG.
        public var resultFormat: EncodedFormat? = .visuallyLossless

        /// How long a failed URL is not tried again: zero to try it at once, `nil` for the lifetime of the manager. The
        /// default is a minute.
        ///
        /// A response without an image that declares its freshness, such as a 404 with `max-age`, is repeated to the same
        /// request for as long as that says, at most an hour, and not at all if it is stale. Its status decides if it has
        /// only `Last-Modified` (RFC 9110, section 15.1).
        public var failedURLLifetime: Duration? = .seconds(60)

        /// The executor of decoding, transforming and encoding. The default has a thread for each processor
        /// that this process may use, by its affinity and the limits of its control groups.
        public var workExecutor = WorkExecutor(name: "work", width: SystemProcessors.usableCount)

        /// The limit on the encoded results that are made at once; `nil`, the default, for none.
        ///
        /// It counts results, however many callers share one. A result that a cache has does not count.
        public var encodingLimit: EncodingLimit?

        /// The memory budget for decoding and the image cache together. Managers and players may share one.
        ///
        /// The default is half of the memory that this process may use, for this manager alone.
        public var memoryBudget = MemoryBudget()

        /// The clock that freshness is measured with: the age of a response, its expiry, and the date at which it was
        /// stored. The default is the system's.
        ///
        /// Tests replace it, so that hours pass without waiting: `{ clock.date }` with a `ManualClock` of the test kit.
        public var now: @Sendable () -> Date = { .coarseNow }

        /// Creates the components of a manager without any plug-in.
        package init() {}

        /// Installs `plugin`.
        public mutating func install(_ plugin: some ImagePlugin) { plugin.install(in: &self) }
    }
}
