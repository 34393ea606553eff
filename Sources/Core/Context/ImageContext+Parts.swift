// Parts cannot be compared. To share runs among loads with a part of their own, create the context once and reuse it.
protocol PartKey: ImageContextKey where Value == Part? {
    associatedtype Part: Sendable
}

extension PartKey {
    static var defaultValue: Part? { nil }
    static func flightFragment(for value: Part?) -> String? { value.map { _ in .unique("Part") } }
}

private enum LoaderKey: PartKey {
    typealias Part = any ImageLoader
    // The loader may refuse entries that another one has loaded.
    static func effect(of value: Part?) -> ContextEffect { .lookup }
}
private enum CoderKey: PartKey {
    typealias Part = any ImageCoder
    static func effect(of value: Part?) -> ContextEffect { .nothing }
}
private enum ImageCacheKey: PartKey {
    typealias Part = any ImageCache
    static func effect(of value: Part?) -> ContextEffect { .lookup }
}
private enum DataCacheKey: PartKey {
    typealias Part = any DataCache
    static func effect(of value: Part?) -> ContextEffect { .nothing }
}
private enum OriginalCacheKey: PartKey {
    typealias Part = any DataCache
    static func effect(of value: Part?) -> ContextEffect { .nothing }
}
private enum KeyFiltersKey: PartKey {
    typealias Part = [any CacheKeyFilter]
    static func effect(of value: Part?) -> ContextEffect { .lookup }
}
private enum SerializerKey: PartKey {
    typealias Part = any CacheSerializer
    static func effect(of value: Part?) -> ContextEffect { .nothing }
}

/// Parts for one load, in place of the manager's. Loads share a run only if their parts come from the same context.
extension ImageContext {
    /// The only loader to use.
    public var loader: (any ImageLoader)? {
        get { self[LoaderKey.self] }
        set { self[LoaderKey.self] = newValue }
    }

    /// The coder that decodes the original. Its `canDecode` check is skipped.
    public var coder: (any ImageCoder)? {
        get { self[CoderKey.self] }
        set { self[CoderKey.self] = newValue }
    }

    /// The cache of decoded images, originals and results.
    public var imageCache: (any ImageCache)? {
        get { self[ImageCacheKey.self] }
        set { self[ImageCacheKey.self] = newValue }
    }

    /// The cache of encoded data. Without an ``originalCache`` of the context, also that of originals.
    public var dataCache: (any DataCache)? {
        get { self[DataCacheKey.self] }
        set { self[DataCacheKey.self] = newValue }
    }

    /// The cache of originals, if it differs from that of results.
    public var originalCache: (any DataCache)? {
        get { self[OriginalCacheKey.self] }
        set { self[OriginalCacheKey.self] = newValue }
    }

    /// The filters that turn the URL into the source of the cache key. An empty list uses the URL unchanged.
    public var keyFilters: [any CacheKeyFilter]? {
        get { self[KeyFiltersKey.self] }
        set { self[KeyFiltersKey.self] = newValue }
    }

    /// The serializer of data cache entries.
    public var serializer: (any CacheSerializer)? {
        get { self[SerializerKey.self] }
        set { self[SerializerKey.self] = newValue }
    }
}
