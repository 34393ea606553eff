public import DarkroomCore

/// A data cache made of several tiers, such as a disk cache and a cache shared by several servers.
///
/// A tier whose lookup fails counts as a miss. A tier that fails to store or remove does not stop the others; its error
/// is thrown after all tiers have been called.
public struct TieredDataCache: DataCache {
    private let tiers: [any DataCache]
    private let policies: TierPolicies

    /// Creates a cache of `tiers`, the highest first. Without tiers, it always misses.
    public init(_ tiers: [any DataCache], policies: TierPolicies = .init()) {
        self.tiers = tiers
        self.policies = policies
    }

    /// Returns the entry of the first tier that has it, in the order that the policy defines.
    public func entry(for key: CacheKey) async throws -> DataEntry? {
        let source = policies.promotesHits ? key.source : nil
        guard let hit = try await firstHit(policies.query, promoting: source, { try await $0.entry(for: key) }) else {
            return nil
        }
        if policies.promotesHits {
            for upper in hit.missed { try? await upper.tier.store(hit.value, for: key, with: upper.ticket) }
        }
        return hit.value
    }

    /// Returns the same without any side effect: hits are not copied to higher tiers.
    public func peek(at key: CacheKey) async throws -> DataEntry? {
        try await firstHit(policies.query) { try await $0.peek(at: key) }?.value
    }

    /// Returns the entry of the tier that is searched first. A lower tier may have one that the first has replaced.
    public func entryInMemory(for key: CacheKey) -> DataEntry? {
        let first = policies.query == .lowestOnly ? tiers.last : tiers.first
        return first?.entryInMemory(for: key)
    }

    /// Stores the entry in the tiers that the policy selects.
    public func store(_ entry: DataEntry, for key: CacheKey) async throws {
        try await store(entry, for: key, with: .unchecked)
    }

    /// Stores the entry in the selected tiers, except for those where its source was replaced or removed since.
    public func store(_ entry: DataEntry, for key: CacheKey, with ticket: StoreTicket) async throws {
        let ticketed = tiers.indices.map { TicketedTier(tier: tiers[$0], ticket: ticket.tier(at: $0)) }
        try await visit(policies.store, ticketed) { try await $0.tier.store(entry, for: key, with: $0.ticket) }
    }

    /// Takes the tickets of all tiers. In a tier that fails, nothing is stored with it.
    public func ticket(forSource source: String) async throws -> StoreTicket {
        var tickets: [StoreTicket] = []
        for tier in tiers.reversed() { tickets.append((try? await tier.ticket(forSource: source)) ?? .refused) }
        return StoreTicket(tiers: tickets.reversed())
    }

    /// Starts the generation of `response` in the tiers that the policy of removals selects, the lowest first. In a tier that fails,
    /// nothing is stored with the ticket. If a tier has the response of a later load, the others still remove older
    /// entries, and the result is `nil`.
    ///
    /// - Throws: The error of a tier, if all of them fail.
    public func startGeneration(of response: SourceResponse, after ticket: StoreTicket?) async throws -> StoreTicket? {
        let removed = policies.remove.selected(from: Array(tiers.indices))
        var (tickets, failures, isRefused) = ([StoreTicket](), [any Error](), false)
        for index in tiers.indices.reversed() {
            do {
                guard removed.contains(index) else {
                    tickets.append(try await tiers[index].ticket(forSource: response.source))
                    continue
                }
                let old = ticket?.tier(at: index)
                let new = try await tiers[index].startGeneration(of: response, after: old)
                // The other tiers still remove what is older.
                isRefused = isRefused || new == nil
                tickets.append(new ?? .refused)
            } catch {
                tickets.append(.refused)
                failures.append(error)
            }
        }
        if let first = failures.first, failures.count == tiers.count { throw first }
        return isRefused ? nil : StoreTicket(tiers: tickets.reversed())
    }

    /// Replaces the metadata in every tier that has the entry in the same version.
    public func update(_ metadata: DataEntry.Metadata, for key: CacheKey) async throws {
        try await visit(.concurrent, tiers) { try await $0.update(metadata, for: key) }
    }

    /// Returns whether one of the tiers that the policy selects has the entry.
    public func contains(_ key: CacheKey) async throws -> Bool {
        try await firstHit(policies.contains) { try await $0.contains(key) ? true : nil } != nil
    }

    /// Removes the entry from the tiers that the policy selects.
    public func remove(_ key: CacheKey) async throws {
        try await visitToRemove(policies.remove) { try await $0.remove(key) }
    }

    /// Removes all entries of `source` from the tiers that the policy selects.
    public func removeAll(ofSource source: String) async throws {
        try await visitToRemove(policies.remove) { try await $0.removeAll(ofSource: source) }
    }

    /// Removes everything from the tiers that the policy selects.
    public func removeAll() async throws {
        try await visitToRemove(policies.clear) { try await $0.removeAll() }
    }

    /// Trims every tier.
    public func trim() async throws {
        try await visit(.concurrent, tiers) { try await $0.trim() }
    }

    /// Passes `pressure` on to every tier.
    public func respond(to pressure: MemoryPressure) {
        for tier in tiers { tier.respond(to: pressure) }
    }

    private func firstHit<Value: Sendable>(
        _ policy: TierPolicy, promoting source: String? = nil,
        _ lookUp: @escaping @Sendable (any DataCache) async throws -> Value?
    ) async throws -> TierLookup<Value>.Hit? {
        let lookup = TierLookup(tiers: policy.selected(from: tiers), lookUp: lookUp, ticketSource: source)
        return try await policy == .concurrent ? lookup.searchConcurrently() : lookup.searchSerially()
    }

    /// Removes from one tier after the other, the lowest first: a load that reads an old entry of a lower tier has then
    /// taken its ticket of the higher ones before it is removed there.
    private func visitToRemove(
        _ policy: TierPolicy, _ body: @escaping @Sendable (any DataCache) async throws -> Void
    ) async throws {
        let selected = policy.selected(from: tiers)
        try await visit(.serial, selected.reversed(), body)
    }

    private func visit<Tier: Sendable>(
        _ policy: TierPolicy, _ tiers: [Tier], _ body: @escaping @Sendable (Tier) async throws -> Void
    ) async throws {
        let visited = policy.selected(from: tiers)
        var failures: [any Error] = []
        if policy == .concurrent, visited.count > 1 {
            failures = await withTaskGroup { group in
                for tier in visited { group.addTask { await failure(of: tier, body) } }
                return await group.reduce(into: []) { failures, failure in if let failure { failures.append(failure) } }
            }
        } else {
            for tier in visited { if let failure = await failure(of: tier, body) { failures.append(failure) } }
        }
        if let first = failures.first { throw first }
    }
}

private func failure<Tier>(
    of tier: Tier, _ body: @Sendable (Tier) async throws -> Void
) async -> (any Error)? {
    do {
        try await body(tier)
        return nil
    } catch {
        return error
    }
}
