public import DarkroomCore

/// An image cache made of several tiers.
public struct TieredImageCache: ImageCache {
    private let tiers: Tiers<any ImageCache>

    /// Creates a cache of `tiers`, the highest first. Without tiers, it always misses.
    public init(_ tiers: [any ImageCache], policies: TierPolicies = .init()) {
        self.tiers = Tiers(all: tiers, policies: policies)
    }

    /// Returns the image of the first tier that has it.
    public func image(for key: CacheKey) -> Image? {
        var missed: [TicketedTier<any ImageCache>] = []
        for tier in tiers.queried {
            if let image = tier.image(for: key) {
                for upper in missed { upper.tier.store(image, for: key, with: upper.ticket) }
                return image
            }
            if tiers.policies.promotesHits {
                missed.append(TicketedTier(tier: tier, ticket: tier.ticket(forSource: key.source)))
            }
        }
        return nil
    }

    /// Stores the image in the tiers that the policy selects.
    public func store(_ image: Image, for key: CacheKey) {
        store(image, for: key, with: .unchecked)
    }

    /// Stores the image in the selected tiers, except for those where its source was replaced or removed since.
    public func store(_ image: Image, for key: CacheKey, with ticket: StoreTicket) {
        for selected in tiers.stored(with: ticket) { selected.tier.store(image, for: key, with: selected.ticket) }
    }

    /// Takes the tickets of all tiers.
    public func ticket(forSource source: String) -> StoreTicket {
        StoreTicket(tiers: tiers.all.map { $0.ticket(forSource: source) })
    }

    /// Starts the generation of `response` in the tiers that the policy of removals selects, the lowest first. If a tier has
    /// the response of a later load, the others still remove older entries, and the result is `nil`.
    public func startGeneration(of response: SourceResponse, after ticket: StoreTicket?) -> StoreTicket? {
        StoreTicket.starting(tiers: tiers.startOrder) { index in
            let tier = tiers.all[index]
            guard tiers.startsGenerations(at: index) else { return tier.ticket(forSource: response.source) }
            return tier.startGeneration(of: response, after: ticket?.tier(at: index))
        }
    }

    /// Returns whether one of the tiers that the policy selects has the image.
    public func contains(_ key: CacheKey) -> Bool {
        tiers.checked.contains { $0.contains(key) }
    }

    /// Removes the image from the tiers that the policy selects.
    public func remove(_ key: CacheKey) {
        for tier in tiers.removed { tier.remove(key) }
    }

    /// Removes all images of `source` from the tiers that the policy selects.
    public func removeAll(ofSource source: String) {
        for tier in tiers.removed { tier.removeAll(ofSource: source) }
    }

    /// Returns the images of `source` in all tiers, one per key, preferring the highest tier.
    public func images(ofSource source: String) -> [(CacheKey, Image)] {
        var seen: Set<CacheKey> = []
        return tiers.all.flatMap { $0.images(ofSource: source) }.filter { seen.insert($0.0).inserted }
    }

    /// Forwards the memory pressure to all tiers.
    public func respond(to pressure: MemoryPressure) {
        for tier in tiers.all { tier.respond(to: pressure) }
    }

    /// The tenants of all tiers.
    public var memoryTenants: [any MemoryBudget.Tenant] { tiers.all.flatMap(\.memoryTenants) }

    /// Removes everything from the tiers that the policy selects.
    public func removeAll() {
        for tier in tiers.cleared { tier.removeAll() }
    }
}
