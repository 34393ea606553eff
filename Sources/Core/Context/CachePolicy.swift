/// The cache tiers that a load reads and writes, for its result and for the original.
///
/// The four properties correspond to SDWebImage's `queryCacheType`, `storeCacheType`, `originalQueryCacheType` and
/// `originalStoreCacheType`, and have the same defaults.
public struct CachePolicy: Hashable, Sendable {
    /// A set of cache tiers: memory, disk, both or none.
    public struct Tiers: OptionSet, Hashable, Sendable {
        /// The bits of the tiers.
        public let rawValue: Int

        /// Creates a set of the tiers with these bits.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// The image cache.
        public static let memory = Tiers(rawValue: 1)
        /// The data cache.
        public static let disk = Tiers(rawValue: 2)
        /// Both tiers.
        public static let all: Tiers = [.memory, .disk]
        /// No tier.
        public static let none: Tiers = []
    }

    /// The tiers in which the result is looked up. The default is all tiers.
    public var query = Tiers.all

    /// The tiers in which the result is stored. The default is all tiers. Without memory, a disk hit is not copied
    /// there.
    public var store = Tiers.all

    /// The tiers in which the original of a thumbnail or transformed image is looked up. The default is disk.
    ///
    /// An original in memory is resized after decoding, which gives slightly different pixels than decoding it at that
    /// size. With options other than a thumbnail and transformers, memory is not searched for it.
    public var originalQuery = Tiers.disk

    /// The tiers in which the original is stored. The default is disk. Memory only stores an original decoded at full
    /// size, without options other than transformers.
    ///
    /// A plain load, whose result is the original, is stored on disk if this property or `store` includes disk.
    public var originalStore = Tiers.disk

    /// Creates a policy with the default values.
    public init() {}

    /// A policy that reads and stores nothing, as if there were no caches.
    public static var none: CachePolicy {
        var policy = CachePolicy()
        (policy.query, policy.store, policy.originalQuery, policy.originalStore) = (.none, .none, .none, .none)
        return policy
    }
}

private enum CachePolicyKey: ImageContextKey {
    static var defaultValue: CachePolicy { CachePolicy() }
    static func effect(of value: CachePolicy) -> ContextEffect { .lookup }
    static func flightFragment(for value: CachePolicy) -> String? {
        let tiers = [value.query, value.store, value.originalQuery, value.originalStore].map { "\($0.rawValue)" }
        return value == CachePolicy() ? nil : "CachePolicy(\(tiers.joined(separator: ",")))"
    }
}

extension ImageContext {
    /// The cache tiers that are read and written. ``cacheUse`` determines whether caches and loaders are used at all.
    public var cachePolicy: CachePolicy {
        get { self[CachePolicyKey.self] }
        set { self[CachePolicyKey.self] = newValue }
    }
}
