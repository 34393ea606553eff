/// An image cache that wraps another one, to which it forwards all members that it does not implement itself.
///
/// Conform wrappers to this protocol rather than to `ImageCache`, so that no member is left unforwarded, including those of
/// later versions.
public protocol ImageCacheWrapper: ImageCache {
    /// The type of the wrapped cache.
    associatedtype Base: ImageCache

    /// The wrapped cache.
    var base: Base { get }
}

extension ImageCacheWrapper {
    /// Returns the image of the base.
    public func image(for key: CacheKey) -> Image? { base.image(for: key) }

    /// Stores the image in the base.
    public func store(_ image: Image, for key: CacheKey) { base.store(image, for: key) }

    /// Stores the image in the base, which may refuse `ticket`.
    public func store(_ image: Image, for key: CacheKey, with ticket: StoreTicket) {
        base.store(image, for: key, with: ticket)
    }

    /// Returns a ticket of the base.
    public func ticket(forSource source: String) -> StoreTicket { base.ticket(forSource: source) }

    /// Starts the generation of `response` in the base.
    public func startGeneration(of response: SourceResponse, after ticket: StoreTicket?) -> StoreTicket? {
        base.startGeneration(of: response, after: ticket)
    }

    /// Returns whether the base has the image.
    public func contains(_ key: CacheKey) -> Bool { base.contains(key) }

    /// Returns the images that the base has of `source`.
    public func images(ofSource source: String) -> [(CacheKey, Image)] { base.images(ofSource: source) }

    /// Removes the image from the base.
    public func remove(_ key: CacheKey) { base.remove(key) }

    /// Removes the original and all variants of `source` from the base.
    public func removeAll(ofSource source: String) { base.removeAll(ofSource: source) }

    /// Empties the base.
    public func removeAll() { base.removeAll() }

    /// Has the base release memory.
    public func respond(to pressure: MemoryPressure) { base.respond(to: pressure) }

    /// The tenants of the base.
    public var memoryTenants: [any MemoryBudget.Tenant] { base.memoryTenants }
}
