import DarkroomCore

/// A lookup in several tiers, which ends with the first hit.
struct TierLookup<Value: Sendable>: Sendable {
    /// The result of a successful lookup.
    struct Hit {
        let value: Value
        /// The tiers above the hit that had missed by then, the highest first.
        let missed: [TicketedTier]
    }

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
        var missed: [TicketedTier] = []
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
        var ticketed: [TicketedTier] = []
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

    private func ticketed(_ tier: any DataCache) async -> TicketedTier {
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

/// A tier, and a ticket with which it stores.
struct TicketedTier: Sendable {
    let tier: any DataCache
    let ticket: StoreTicket
}
