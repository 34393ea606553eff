import DarkroomCore

/// Weak references to images evicted from a `MemoryImageCache`.
struct WeakImages {
    /// The references by the key of the source, then by the key of the image.
    private var images: [CacheKey: [CacheKey: WeakImage]] = [:]
    /// The number of references, including those whose images are gone.
    private(set) var count = 0
    private var pruningThreshold = 64

    /// Inserts a reference to `image`. References whose images are gone are pruned whenever the count may have doubled.
    mutating func insert(_ image: Image, for key: CacheKey) {
        if count >= pruningThreshold { prune() }
        if images[key.ofPlainSource, default: [:]].updateValue(WeakImage(image), forKey: key) == nil { count += 1 }
    }

    /// Returns the image of `key`, if it still exists.
    func image(for key: CacheKey) -> Image? { images[key.ofPlainSource]?[key]?.image }

    /// Returns all images of `source` that still exist.
    func images(ofSource source: CacheKey) -> [(CacheKey, Image)] {
        (images[source] ?? [:]).compactMap { key, weak in weak.image.map { (key, $0) } }
    }

    /// Removes the reference of `key`.
    mutating func remove(_ key: CacheKey) {
        let source = key.ofPlainSource
        guard images[source]?.removeValue(forKey: key) != nil else { return }
        count -= 1
        if images[source]?.isEmpty == true { images[source] = nil }
    }

    /// Removes all references of `source` whose keys satisfy `predicate`.
    mutating func removeAll(ofSource source: CacheKey, where predicate: (CacheKey) -> Bool) {
        for key in (images[source] ?? [:]).keys where predicate(key) { remove(key) }
    }

    private mutating func prune() {
        images = images.mapValues { $0.filter { $0.value.image != nil } }.filter { !$0.value.isEmpty }
        count = images.values.reduce(0) { $0 + $1.count }
        pruningThreshold = max(64, count * 2)
    }
}
