/// The cache tiers that one request reads or writes, in lookup order.
struct CacheTiers: OptionSet, Sendable {
    let rawValue: Int

    /// The result in the image cache.
    static let memory = CacheTiers(rawValue: 1)
    /// The result in the data cache, if it is a variant.
    static let results = CacheTiers(rawValue: 2)
    /// The decoded original of a variant in the image cache.
    static let decodedOriginals = CacheTiers(rawValue: 4)
    /// The original in the data cache.
    static let originals = CacheTiers(rawValue: 8)

    init(rawValue: Int) { self.rawValue = rawValue }

    /// Creates the set of tiers that `request` reads: none if it bypasses the caches, or a key filter excludes it from
    /// them.
    init(readBy request: Request) {
        let policy = request.context.cachePolicy
        if request.key == nil || request.context.cacheUse == .loaderOnly {
            self = []
        } else if request.isVariant {
            self.init(result: policy.query, original: policy.originalQuery)
        } else {
            // The result of a plain load is the original.
            self.init(result: policy.query.intersection(.memory), original: policy.query.intersection(.disk))
        }
    }

    /// Creates the set of tiers that `request` writes.
    init(writtenBy request: Request) {
        let policy = request.context.cachePolicy
        if request.key == nil {
            self = []
        } else if request.isVariant {
            self.init(result: policy.store, original: policy.originalStore)
        } else {
            let disk = policy.store.union(policy.originalStore).intersection(.disk)
            self.init(result: policy.store.intersection(.memory), original: disk)
        }
    }

    private init(result: CachePolicy.Tiers, original: CachePolicy.Tiers) {
        self = []
        if result.contains(.memory) { insert(.memory) }
        if result.contains(.disk) { insert(.results) }
        if original.contains(.memory) { insert(.decodedOriginals) }
        if original.contains(.disk) { insert(.originals) }
    }
}
