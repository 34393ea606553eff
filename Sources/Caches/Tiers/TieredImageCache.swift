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
        var missed: [(tier: any ImageCache, ticket: StoreTicket)] = []
        for tier in policies.query.selected(from: tiers) {
            if let image = tier.image(for: key) {
                for upper in missed { upper.tier.store(image, for: key, with: upper.ticket) }
                return image
            }
            if policies.promotesHits { missed.append((tier, tier.ticket(forSource: key.source))) }
        }
        return nil
    }

    /// Stores the image in the tiers that the policy selects.
    public func store(_ image: Image, for key: CacheKey) {
        store(image, for: key, with: .unchecked)
    }

    /// Stores the image in the selected tiers, except for those where its source was replaced or removed since.
    public func store(_ image: Image, for key: CacheKey, with ticket: StoreTicket) {
        for index in policies.store.selected(from: Array(tiers.indices)) {
            tiers[index].store(image, for: key, with: ticket.tier(at: index))
        }
    }

    /// Takes the tickets of all tiers.
    public func ticket(forSource source: String) -> StoreTicket {
        StoreTicket(tiers: tiers.map { $0.ticket(forSource: source) })
    }

    /// Starts the generation of `response` in the tiers that the policy of removals selects, the lowest first. If a tier has the response
    /// of a later load, the others still remove older entries, and the result is `nil`.
    public func startGeneration(of response: SourceResponse, after ticket: StoreTicket?) -> StoreTicket? {
        let removed = policies.remove.selected(from: Array(tiers.indices))
        var (tickets, isRefused) = ([StoreTicket](), false)
        for index in tiers.indices.reversed() {
            guard removed.contains(index) else {
                tickets.append(tiers[index].ticket(forSource: response.source))
                continue
            }
            let old = ticket?.tier(at: index)
            let new = tiers[index].startGeneration(of: response, after: old)
            // The other tiers still remove what is older.
            isRefused = isRefused || new == nil
            tickets.append(new ?? .refused)
        }
        return isRefused ? nil : StoreTicket(tiers: tickets.reversed())
    }

    /// Returns whether one of the tiers that the policy selects has the image.
    public func contains(_ key: CacheKey) -> Bool {
        policies.contains.selected(from: tiers).contains { $0.contains(key) }
    }

    /// Removes the image from the tiers that the policy selects.
    public func remove(_ key: CacheKey) {
        for tier in policies.remove.selected(from: tiers).reversed() { tier.remove(key) }
    }

    /// Removes all images of `source` from the tiers that the policy selects.
    public func removeAll(ofSource source: String) {
        for tier in policies.remove.selected(from: tiers).reversed() { tier.removeAll(ofSource: source) }
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
        for tier in policies.clear.selected(from: tiers).reversed() { tier.removeAll() }
    }
}
