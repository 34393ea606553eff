public import DarkroomCore

/// An image cache that records the calls it receives, in order, and forwards them to another one.
public struct RecordingImageCache: ImageCache {
    /// A call. Tickets are not recorded.
    public enum Call: Hashable, Sendable {
        /// `image(for:)`, which found an image or did not.
        case image(CacheKey, found: Bool)
        /// `store(_:for:)`.
        case store(CacheKey)
        /// `contains(_:)`, and its result.
        case contains(CacheKey, Bool)
        /// `images(ofSource:)`.
        case imagesOfSource(String)
        /// `remove(_:)`.
        case remove(CacheKey)
        /// `removeAll(ofSource:)`.
        case removeSource(String)
        /// `removeAll()`.
        case removeAll
        /// `respond(to:)`.
        case respond(MemoryPressure)
    }

    /// The calls so far, which a test can wait for.
    public let calls = Recorder<Call>()

    private let base: any ImageCache

    /// Creates a cache in front of `base`, by default an empty one without a limit.
    public init(_ base: any ImageCache = FakeImageCache()) { self.base = base }

    /// Returns the image of the other cache.
    public func image(for key: CacheKey) -> Image? {
        let image = base.image(for: key)
        calls.note(.image(key, found: image != nil))
        return image
    }

    /// Stores the image in the other cache.
    public func store(_ image: Image, for key: CacheKey) {
        base.store(image, for: key)
        calls.note(.store(key))
    }

    /// Returns a ticket of the other cache.
    public func ticket(forSource source: String) -> StoreTicket { base.ticket(forSource: source) }

    /// Stores the image in the other cache, which may refuse `ticket`. It is recorded in either case.
    public func store(_ image: Image, for key: CacheKey, with ticket: StoreTicket) {
        base.store(image, for: key, with: ticket)
        calls.note(.store(key))
    }

    /// Starts the generation of `response` in the other cache.
    public func startGeneration(of response: SourceResponse, after ticket: StoreTicket?) -> StoreTicket? {
        base.startGeneration(of: response, after: ticket)
    }

    /// Returns whether the other cache has an image.
    public func contains(_ key: CacheKey) -> Bool {
        let contains = base.contains(key)
        calls.note(.contains(key, contains))
        return contains
    }

    /// Returns the images that the other cache has of `source`.
    public func images(ofSource source: String) -> [(CacheKey, Image)] {
        let images = base.images(ofSource: source)
        calls.note(.imagesOfSource(source))
        return images
    }

    /// Removes the image from the other cache.
    public func remove(_ key: CacheKey) {
        base.remove(key)
        calls.note(.remove(key))
    }

    /// Removes the original and all variants of `source` from the other cache.
    public func removeAll(ofSource source: String) {
        base.removeAll(ofSource: source)
        calls.note(.removeSource(source))
    }

    /// Empties the other cache.
    public func removeAll() {
        base.removeAll()
        calls.note(.removeAll)
    }

    /// Has the other cache release memory.
    public func respond(to pressure: MemoryPressure) {
        base.respond(to: pressure)
        calls.note(.respond(pressure))
    }

    /// The tenants of the other cache.
    public var memoryTenants: [any MemoryBudget.Tenant] { base.memoryTenants }
}
