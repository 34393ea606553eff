/// A cache that holds no images.
struct NoImageCache: ImageCache {
    func image(for key: CacheKey) -> Image? { nil }
    func store(_ image: Image, for key: CacheKey) {}
    func contains(_ key: CacheKey) -> Bool { false }
    func remove(_ key: CacheKey) {}
    func removeAll(ofSource source: String) {}
    func removeAll() {}
}
