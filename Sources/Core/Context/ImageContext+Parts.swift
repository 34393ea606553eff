// Two parts cannot be compared. Whoever wants loads with a part of their own to share a run makes the context once.
protocol PartKey: ImageContextKey where Value == Part? {
    associatedtype Part: Sendable
}

extension PartKey {
    static var defaultValue: Part? { nil }
    static func cacheKeyFragment(for value: Part?) -> String? { nil }
    static func flightFragment(for value: Part?) -> String? { value.map { _ in .unique("Part") } }
}

private enum LoaderKey: PartKey {
    typealias Part = any ImageLoader
    // It may refuse what another loader has brought.
    static func affectsLookup(for value: Part?) -> Bool { true }
}
private enum CoderKey: PartKey { typealias Part = any ImageCoder }
private enum ImageCacheKey: PartKey {
    typealias Part = any ImageCache
    static func affectsLookup(for value: Part?) -> Bool { true }
}
private enum DataCacheKey: PartKey { typealias Part = any DataCache }
private enum OriginalCacheKey: PartKey { typealias Part = any DataCache }
private enum KeyFiltersKey: PartKey {
    typealias Part = [any CacheKeyFilter]
    static func affectsLookup(for value: Part?) -> Bool { true }
}
private enum SerializerKey: PartKey { typealias Part = any CacheSerializer }

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
