public import DarkroomCore

/// Several image caches as one.
public struct TieredImageCache: ImageCache {
    private let tiers: [any ImageCache]
    private let policies: TierPolicies

    /// A cache of `tiers`, the highest first; of none, it always misses.
    public init(_ tiers: [any ImageCache], policies: TierPolicies = .init()) {
        self.tiers = tiers
        self.policies = policies
    }

    /// The image of the first tier asked that has it.
    public func image(for key: CacheKey) -> Image? {
        let asked = policies.query.chosen(from: tiers)
        for (index, tier) in asked.enumerated() {
            guard let image = tier.image(for: key) else { continue }
            if policies.copiesHitsUp { for upper in asked.prefix(index) { upper.store(image, for: key) } }
            return image
        }
        return nil
    }

    /// Keeps it in the tiers that the policy names.
    public func store(_ image: Image, for key: CacheKey) {
        for tier in policies.store.chosen(from: tiers) { tier.store(image, for: key) }
    }

    /// Whether a tier that the policy names has it.
    public func contains(_ key: CacheKey) -> Bool {
        policies.contains.chosen(from: tiers).contains { $0.contains(key) }
    }

    /// Removes it from the tiers that the policy names.
    public func remove(_ key: CacheKey) {
        for tier in policies.remove.chosen(from: tiers) { tier.remove(key) }
    }

    /// Removes all of `source` from the tiers that the policy names.
    public func removeAll(ofSource source: String) {
        for tier in policies.remove.chosen(from: tiers) { tier.removeAll(ofSource: source) }
    }

    /// What all tiers have of `source`, each key once, as the highest of them has it.
    public func images(ofSource source: String) -> [(CacheKey, Image)] {
        var seen: Set<CacheKey> = []
        return tiers.flatMap { $0.images(ofSource: source) }.filter { seen.insert($0.0).inserted }
    }

    /// Has all tiers give back memory.
    public func respond(to pressure: MemoryPressure) {
        for tier in tiers { tier.respond(to: pressure) }
    }

    /// Those of all tiers.
    public var memoryTenants: [any MemoryBudget.Tenant] { tiers.flatMap(\.memoryTenants) }

    /// Empties the tiers that the policy names.
    public func removeAll() {
        for tier in policies.clear.chosen(from: tiers) { tier.removeAll() }
    }
}
