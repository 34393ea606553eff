import DarkroomCore

/// An image cache that forwards to `base`, except for the defect that a conforming type adds.
protocol ImageCacheWrapper: ImageCache {
    associatedtype Base: ImageCache
    var base: Base { get }
}

extension ImageCacheWrapper {
    func image(for key: CacheKey) -> Image? { base.image(for: key) }
    func store(_ image: Image, for key: CacheKey) { base.store(image, for: key) }
    func contains(_ key: CacheKey) -> Bool { base.contains(key) }
    func remove(_ key: CacheKey) { base.remove(key) }
    func removeAll(ofSource source: String) { base.removeAll(ofSource: source) }
    func removeAll() { base.removeAll() }
}
