import Synchronization

// Two parts cannot be compared. Whoever wants loads with a part of their own to share a run makes the context once.
private protocol PartKey: ImageContextKey {}

extension PartKey {
    static func cacheKeyFragment(for value: Value) -> String? { nil }
    static func flightFragment(for value: Value) -> String? { "Part(\(PartCounter.next()))" }
}

private enum PartCounter {
    private static let count = Atomic(0)

    static func next() -> Int { count.add(1, ordering: .relaxed).newValue }
}

private enum LoaderKey: PartKey {
    static var defaultValue: (any ImageLoader)? { nil }
}

private enum CoderKey: PartKey {
    static var defaultValue: (any ImageCoder)? { nil }
}

private enum ImageCacheKey: PartKey {
    static var defaultValue: (any ImageCache)? { nil }
}

private enum DataCacheKey: PartKey {
    static var defaultValue: (any DataCache)? { nil }
}

private enum OriginalCacheKey: PartKey {
    static var defaultValue: (any DataCache)? { nil }
}

private enum KeyFiltersKey: PartKey {
    static var defaultValue: [any CacheKeyFilter]? { nil }
}

private enum SerializerKey: PartKey {
    static var defaultValue: (any CacheSerializer)? { nil }
}

/// Parts for one load in place of the manager's. Loads share a run only when they have the parts from the same context.
extension ImageContext {
    /// The loader that is asked, and no other.
    public var loader: (any ImageLoader)? {
        get { self[LoaderKey.self] }
        set { self[LoaderKey.self] = newValue }
    }

    /// The coder that decodes the original, without being asked whether it can.
    public var coder: (any ImageCoder)? {
        get { self[CoderKey.self] }
        set { self[CoderKey.self] = newValue }
    }

    /// Where decoded images are kept.
    public var imageCache: (any ImageCache)? {
        get { self[ImageCacheKey.self] }
        set { self[ImageCacheKey.self] = newValue }
    }

    /// Where encoded bytes are kept.
    public var dataCache: (any DataCache)? {
        get { self[DataCacheKey.self] }
        set { self[DataCacheKey.self] = newValue }
    }

    /// Where originals are kept, when that is another place than where finished results are.
    public var originalCache: (any DataCache)? {
        get { self[OriginalCacheKey.self] }
        set { self[OriginalCacheKey.self] = newValue }
    }

    /// What turns the URL into the source of the cache key; an empty list takes the URL as it is.
    public var keyFilters: [any CacheKeyFilter]? {
        get { self[KeyFiltersKey.self] }
        set { self[KeyFiltersKey.self] = newValue }
    }

    /// What makes the bytes that are kept on disk.
    public var serializer: (any CacheSerializer)? {
        get { self[SerializerKey.self] }
        set { self[SerializerKey.self] = newValue }
    }
}
