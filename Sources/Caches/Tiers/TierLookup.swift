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

/// A lookup in several data caches, which ends with the first hit.
struct TierLookup<Value: Sendable>: Sendable {
    typealias Hit = TierHit<any DataCache, Value>

    private enum Outcome: Sendable {
        case hit(Value)
        case miss
        case failure
    }

    /// The tiers to search, the highest first.
    let tiers: [any DataCache]

    /// Looks up the value in one tier; `nil` for a miss.
    let lookUp: @Sendable (any DataCache) async throws -> Value?

    /// The source for which tickets are taken of tiers that miss, before lower tiers are searched; `nil` for none.
    var ticketSource: String?

    /// Searches the tiers one after the other.
    func searchSerially() async throws -> Hit? {
        var missed: [TicketedTier<any DataCache>] = []
        for tier in tiers {
            try Task.checkCancellation()
            switch await outcome(of: tier) {
            case .hit(let value): return Hit(value: value, missed: missed)
            case .miss: missed.append(await ticketed(tier))
            case .failure: break
            }
        }
        return nil
    }

    /// Searches all tiers concurrently. After the first hit, the remaining lookups are cancelled and not awaited.
    func searchConcurrently() async throws -> Hit? {
        var ticketed: [TicketedTier<any DataCache>] = []
        for tier in tiers { ticketed.append(await self.ticketed(tier)) }
        let (outcomes, continuation) = AsyncStream.makeStream(of: (Int, Outcome).self)
        let lookups = tiers.indices.map { index in
            Task { continuation.yield((index, await outcome(of: tiers[index]))) }
        }
        defer { for lookup in lookups { lookup.cancel() } }
        var missed: [Int] = []
        for await (index, outcome) in outcomes.prefix(tiers.count) {
            switch outcome {
            case .hit(let value):
                return Hit(value: value, missed: missed.filter { $0 < index }.sorted().map { ticketed[$0] })
            case .miss: missed.append(index)
            case .failure: break
            }
        }
        try Task.checkCancellation()
        return nil
    }

    private func ticketed(_ tier: any DataCache) async -> TicketedTier<any DataCache> {
        guard let ticketSource else { return TicketedTier(tier: tier, ticket: .refused) }
        return TicketedTier(tier: tier, ticket: (try? await tier.ticket(forSource: ticketSource)) ?? .refused)
    }

    private func outcome(of tier: any DataCache) async -> Outcome {
        do {
            return try await lookUp(tier).map { .hit($0) } ?? .miss
        } catch {
            return .failure
        }
    }
}
