public import DarkroomCore

/// An image cache made of several tiers.
public struct TieredImageCache: ImageCache {
    private let tiers: [any ImageCache]
    private let policies: TierPolicies

    /// Creates a cache of `tiers`, the highest first. Without tiers, it always misses.
    public init(_ tiers: [any ImageCache], policies: TierPolicies = .init()) {
        self.tiers = tiers
        self.policies = policies
    }

    /// Returns the image of the first tier that has it.
    public func image(for key: CacheKey) -> Image? {
        let searched = policies.query.selected(from: tiers)
        for (index, tier) in searched.enumerated() {
            guard let image = tier.image(for: key) else { continue }
            if policies.promotesHits { for upper in searched.prefix(index) { upper.store(image, for: key) } }
            return image
        }
        return nil
    }

    /// Stores the image in the tiers that the policy selects.
    public func store(_ image: Image, for key: CacheKey) {
        for tier in policies.store.selected(from: tiers) { tier.store(image, for: key) }
    }

    /// Returns whether one of the tiers that the policy selects has the image.
    public func contains(_ key: CacheKey) -> Bool {
        policies.contains.selected(from: tiers).contains { $0.contains(key) }
    }

    /// Removes the image from the tiers that the policy selects.
    public func remove(_ key: CacheKey) {
        for tier in policies.remove.selected(from: tiers) { tier.remove(key) }
    }

    /// Removes all images of `source` from the tiers that the policy selects.
    public func removeAll(ofSource source: String) {
        for tier in policies.remove.selected(from: tiers) { tier.removeAll(ofSource: source) }
    }

    /// Returns the images of `source` in all tiers, one per key, preferring the highest tier.
    public func images(ofSource source: String) -> [(CacheKey, Image)] {
        var seen: Set<CacheKey> = []
        return tiers.flatMap { $0.images(ofSource: source) }.filter { seen.insert($0.0).inserted }
    }

    /// Forwards the memory pressure to all tiers.
    public func respond(to pressure: MemoryPressure) {
        for tier in tiers { tier.respond(to: pressure) }
    }

    /// The tenants of all tiers.
    public var memoryTenants: [any MemoryBudget.Tenant] { tiers.flatMap(\.memoryTenants) }

    /// Removes everything from the tiers that the policy selects.
    public func removeAll() {
        for tier in policies.clear.selected(from: tiers) { tier.removeAll() }
    }
}
