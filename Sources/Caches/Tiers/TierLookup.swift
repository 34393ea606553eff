import DarkroomCore

extension Tiers {
    /// Returns the first hit of `lookUp` in the queried tiers. If hits are promoted, `ticket` is called for each tier that
    /// misses, before lower tiers are searched.
    func firstHit<Value>(_ lookUp: (Tier) -> Value?, ticket: (Tier) -> StoreTicket) -> TierHit<Tier, Value>? {
        var missed: [TicketedTier<Tier>] = []
        for tier in queried {
            if let value = lookUp(tier) { return TierHit(value: value, missed: missed) }
            if policies.promotesHits { missed.append(TicketedTier(tier: tier, ticket: ticket(tier))) }
        }
        return nil
    }
}

extension Tiers<any DataCache> {
    /// Returns the first hit of `lookUp` in `searched`. A tier that fails is skipped. If `source` is not `nil`, a ticket for
    /// it is taken of each tier that misses, before lower tiers are searched.
    ///
    /// - Throws: Only `CancellationError`.
    static func firstHit<Value: Sendable>(
        in searched: [any DataCache], promoting source: String? = nil,
        _ lookUp: (any DataCache) async throws -> Value?
    ) async throws -> TierHit<any DataCache, Value>? {
        var missed: [TicketedTier<any DataCache>] = []
        for tier in searched {
            try Task.checkCancellation()
            do {
                if let value = try await lookUp(tier) { return TierHit(value: value, missed: missed) }
            } catch {
                continue
            }
            guard let source else { continue }
            missed.append(TicketedTier(tier: tier, ticket: (try? await tier.ticket(forSource: source)) ?? .refused))
        }
        return nil
    }
}
