import DarkroomCore

/// Images that went from a `MemoryImageCache`, for as long as somebody else holds them.
struct WeakImages {
    /// By the key of the original, then by their own.
    private var images: [CacheKey: [CacheKey: WeakImage]] = [:]
    /// How many are remembered, alive or not.
    private(set) var count = 0
    private var pruningCount = 64

    /// Notes `image`. Those that are gone are forgotten whenever their number may have doubled.
    mutating func insert(_ image: Image, for key: CacheKey) {
        if count >= pruningCount { prune() }
        if images[key.original, default: [:]].updateValue(WeakImage(image), forKey: key) == nil { count += 1 }
    }

    /// The image of `key`, if it is still there.
    func image(for key: CacheKey) -> Image? { images[key.original]?[key]?.image }

    /// All images of `source` that are still there.
    func images(ofSource source: CacheKey) -> [(CacheKey, Image)] {
        (images[source] ?? [:]).compactMap { key, weak in weak.image.map { (key, $0) } }
    }

    /// Forgets the image of `key`.
    mutating func remove(_ key: CacheKey) {
        let source = key.original
        guard images[source]?.removeValue(forKey: key) != nil else { return }
        count -= 1
        if images[source]?.isEmpty == true { images[source] = nil }
    }

    /// Forgets all images of `source`.
    mutating func removeAll(ofSource source: CacheKey) { count -= images.removeValue(forKey: source)?.count ?? 0 }

    private mutating func prune() {
        images = images.mapValues { $0.filter { $0.value.image != nil } }.filter { !$0.value.isEmpty }
        count = images.values.reduce(0) { $0 + $1.count }
        pruningCount = max(64, count * 2)
    }
}
