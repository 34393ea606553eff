package import DarkroomCore

/// An image cache that forwards to `base`, except for the members that a conforming type implements.
package protocol ImageCacheWrapper: ImageCache {
    /// The type of the wrapped cache.
    associatedtype Base: ImageCache

    /// The cache to which calls are forwarded.
    var base: Base { get }
}

extension ImageCacheWrapper {
    package func image(for key: CacheKey) -> Image? { base.image(for: key) }
    package func store(_ image: Image, for key: CacheKey) { base.store(image, for: key) }
    package func store(_ image: Image, for key: CacheKey, with ticket: StoreTicket) {
        base.store(image, for: key, with: ticket)
    }
    package func ticket(forSource source: String) -> StoreTicket { base.ticket(forSource: source) }
    package func startGeneration(of response: SourceResponse, after ticket: StoreTicket?) -> StoreTicket? {
        base.startGeneration(of: response, after: ticket)
    }
    package func contains(_ key: CacheKey) -> Bool { base.contains(key) }
    package func remove(_ key: CacheKey) { base.remove(key) }
    package func removeAll(ofSource source: String) { base.removeAll(ofSource: source) }
    package func removeAll() { base.removeAll() }
}
