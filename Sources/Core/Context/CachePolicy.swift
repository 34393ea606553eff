/// Which tiers of the caches a load reads from and writes to, for what it makes and for the original behind it.
///
/// The four answer to SDWebImage's `queryCacheType`, `storeCacheType`, `originalQueryCacheType` and
/// `originalStoreCacheType`, and have their defaults.
public struct CachePolicy: Hashable, Sendable {
    /// Memory, disk, both or none.
    public struct Tiers: OptionSet, Hashable, Sendable {
        /// A bit a tier.
        public let rawValue: Int

        /// The tiers of these bits.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// The image cache.
        public static let memory = Tiers(rawValue: 1)
        /// The data cache.
        public static let disk = Tiers(rawValue: 2)
        /// Both.
        public static let all: Tiers = [.memory, .disk]
        /// Neither.
        public static let none: Tiers = []
    }

    /// Where the picture itself is looked for: in all tiers.
    public var query = Tiers.all

    /// Where the picture itself is kept: in all tiers. Without memory, a disk hit is not copied there.
    public var store = Tiers.all

    /// Where the original behind a thumbnail or transformed picture is looked for: on disk.
    ///
    /// From memory it is sized as it lies there, which is not quite what decoding it at that size gives.
    public var originalQuery = Tiers.disk

    /// Where the original is kept: on disk. In memory only one that was decoded at full size.
    ///
    /// A plain load, which is its own original, stays off the disk only when neither this nor `store` has it.
    public var originalStore = Tiers.disk

    /// The defaults above.
    public init() {}

    /// Nothing is read or kept: the load is as if there were no caches.
    public static var none: CachePolicy {
        var policy = CachePolicy()
        (policy.query, policy.store, policy.originalQuery, policy.originalStore) = (.none, .none, .none, .none)
        return policy
    }
}

private enum CachePolicyKey: ImageContextKey {
    static var defaultValue: CachePolicy { CachePolicy() }
    static func cacheKeyFragment(for value: CachePolicy) -> String? { nil }
    static func flightFragment(for value: CachePolicy) -> String? { value == CachePolicy() ? nil : "\(value)" }
    static func affectsLookup(for value: CachePolicy) -> Bool { true }
}

extension ImageContext {
    /// Which tiers of the caches are read and written. `cacheUse` tells whether caches or loaders are asked at all.
    public var cachePolicy: CachePolicy {
        get { self[CachePolicyKey.self] }
        set { self[CachePolicyKey.self] = newValue }
    }
}
