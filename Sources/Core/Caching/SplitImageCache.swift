/// An image cache that keeps originals in one cache, and results in another.
///
/// It is a class, because it is often passed on as an existential.
final class SplitImageCache: ImageCache {
    private let originals: any ImageCache
    private let results: any ImageCache

    /// Creates a cache of both caches, which may have entries of other managers, and may be the same one.
    init(originals: any ImageCache, results: any ImageCache) {
        self.originals = originals
        self.results = results
    }

    /// Returns a cache of both; `results` alone if there is no cache of originals.
    static func cache(ofOriginals originals: (any ImageCache)?, results: (any ImageCache)?) -> (any ImageCache)? {
        guard let originals else { return results }
        return SplitImageCache(originals: originals, results: results ?? NoImageCache())
    }

    func image(for key: CacheKey) -> Image? { cache(of: key).image(for: key) }

    func store(_ image: Image, for key: CacheKey) { cache(of: key).store(image, for: key) }

    func store(_ image: Image, for key: CacheKey, with ticket: StoreTicket) {
        cache(of: key).store(image, for: key, with: ticket.tier(at: key.isOriginal ? 0 : 1))
    }

    func ticket(forSource source: String) -> StoreTicket {
        StoreTicket(tiers: both.map { $0.ticket(forSource: source) })
    }

    /// Starts the generation in both caches: that of originals first, because loads make results of what they read
    /// there.
    func startGeneration(of response: SourceResponse, after ticket: StoreTicket?) -> StoreTicket? {
        StoreTicket.starting(tiers: both.indices) { index in
            both[index].startGeneration(of: response, after: ticket?.tier(at: index))
        }
    }

    func contains(_ key: CacheKey) -> Bool { cache(of: key).contains(key) }

    func images(ofSource source: String) -> [(CacheKey, Image)] {
        originals.images(ofSource: source).filter { $0.0.isOriginal }
            + results.images(ofSource: source).filter { !$0.0.isOriginal }
    }

    /// Removes the image, and ends the generation of its source in both caches.
    func remove(_ key: CacheKey) { for cache in both { cache.remove(key) } }

    func removeAll(ofSource source: String) { for cache in both { cache.removeAll(ofSource: source) } }

    func removeAll() { for cache in both { cache.removeAll() } }

    func respond(to pressure: MemoryPressure) { for cache in both { cache.respond(to: pressure) } }

    var memoryTenants: [any MemoryBudget.Tenant] { both.flatMap(\.memoryTenants) }

    private var both: [any ImageCache] { [originals, results] }

    private func cache(of key: CacheKey) -> any ImageCache { key.isOriginal ? originals : results }
}
