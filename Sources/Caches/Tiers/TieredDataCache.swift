public import DarkroomCore

/// A data cache made of several tiers, such as a disk cache and a cache shared by several servers.
///
/// A tier whose lookup fails counts as a miss. A tier that fails to store or remove does not stop the others; its error
/// is thrown after all tiers have been called.
public struct TieredDataCache: DataCache {
    private let tiers: Tiers<any DataCache>

    /// Creates a cache of `tiers`, the highest first. Without tiers, it always misses.
    public init(_ tiers: [any DataCache], policies: TierPolicies = .init()) {
        self.tiers = Tiers(all: tiers, policies: policies)
    }

    /// Returns the entry of the first tier that has it, in the order that the policy defines.
    public func entry(for key: CacheKey) async throws -> DataEntry? {
        // Only hits that are copied to higher tiers need tickets.
        try await tiers.policies.promotesHits
            ? search(key, takesAllTickets: false).entry.get()
            : firstHit(in: tiers.queried) { try await $0.entry(for: key) }
    }

    /// Returns the same without any side effect: hits are not copied to higher tiers.
    public func peek(at key: CacheKey) async throws -> DataEntry? {
        try await firstHit(in: tiers.queried) { try await $0.peek(at: key) }
    }

    /// Takes the tickets of all tiers, and returns the entry of the first one that has it. Each tier is visited once, unless one
    /// above another has the entry.
    public func lookUp(_ key: CacheKey) async -> DataLookup { await search(key, takesAllTickets: true) }

    /// Returns the entry of the tier that is searched first. A lower tier may have one that the first has replaced.
    public func entryInMemory(for key: CacheKey) -> DataEntry? {
        tiers.queried.first?.entryInMemory(for: key)
    }

    /// Stores the entry in the tiers that the policy selects.
    public func store(_ entry: DataEntry, for key: CacheKey) async throws {
        try await store(entry, for: key, with: .unchecked)
    }

    /// Stores the entry in the selected tiers, except for those where its source was replaced or removed since.
    public func store(_ entry: DataEntry, for key: CacheKey, with ticket: StoreTicket) async throws {
        let isConcurrent = tiers.policies.store == .concurrent
        try await visit(tiers.stored(with: ticket), concurrently: isConcurrent) {
            try await $0.tier.store(entry, for: key, with: $0.ticket)
        }
    }

    /// Takes the tickets of all tiers. In a tier that fails, nothing is stored with it.
    public func ticket(forSource source: String) async throws -> StoreTicket {
        var tickets: [Int: StoreTicket] = [:]
        await takeOtherTickets(&tickets, forSource: source)
        return ticket(tickets)
    }

    /// Starts the generation of `response` in the tiers that the policy of removals selects, the lowest first. In a tier that
    /// fails, nothing is stored with the ticket. If a tier has the response of a later load, the others still remove older
    /// entries, and the result is `nil`.
    ///
    /// - Throws: The error of a tier, if all of them fail.
    public func startGeneration(of response: SourceResponse, after ticket: StoreTicket?) async throws -> StoreTicket? {
        var failures: [any Error] = []
        let started = await StoreTicket.starting(tiers: tiers.startOrder) { index in
            let tier = tiers.all[index]
            do {
                guard tiers.startsGenerations(at: index) else {
                    return try await tier.ticket(forSource: response.source)
                }
                return try await tier.startGeneration(of: response, after: ticket?.tier(at: index))
            } catch {
                failures.append(error)
                return .refused
            }
        }
        if let first = failures.first, failures.count == tiers.all.count { throw first }
        return started
    }

    /// Replaces the metadata in every tier that has the entry in the same version.
    public func update(_ metadata: DataEntry.Metadata, for key: CacheKey) async throws {
        try await visit(tiers.all, concurrently: true) { try await $0.update(metadata, for: key) }
    }

    /// Returns whether one of the tiers that the policy selects has the entry.
    public func contains(_ key: CacheKey) async throws -> Bool {
        try await firstHit(in: tiers.checked) { try await $0.contains(key) ? true : nil } != nil
    }

    /// Removes the entry from the tiers that the policy selects.
    public func remove(_ key: CacheKey) async throws {
        try await visit(tiers.removed) { try await $0.remove(key) }
    }

    /// Removes all entries of `source` from the tiers that the policy selects.
    public func removeAll(ofSource source: String) async throws {
        try await visit(tiers.removed) { try await $0.removeAll(ofSource: source) }
    }

    /// Removes everything from the tiers that the policy selects.
    public func removeAll() async throws {
        try await visit(tiers.cleared) { try await $0.removeAll() }
    }

    /// Trims every tier.
    public func trim() async throws {
        try await visit(tiers.all, concurrently: true) { try await $0.trim() }
    }

    /// Passes `pressure` on to every tier.
    public func respond(to pressure: MemoryPressure) {
        for tier in tiers.all { tier.respond(to: pressure) }
    }

    /// Returns the first hit of `lookUp` in `searched`. A tier that fails is skipped.
    private func firstHit<Value: Sendable>(
        in searched: [any DataCache], _ lookUp: (any DataCache) async throws -> Value?
    ) async throws -> Value? {
        for tier in searched {
            try Task.checkCancellation()
            if let value = try? await lookUp(tier) { return value }
        }
        return nil
    }

    /// Searches the tiers. The tickets of others that are taken only after an entry was found may be newer than the entry, and so
    /// it counts only if its source is still of the same generation then.
    private func search(_ key: CacheKey, takesAllTickets: Bool) async -> DataLookup {
        var tickets: [Int: StoreTicket] = [:]
        var missed: [Int] = []
        for index in tiers.policies.query.selected(from: Array(tiers.all.indices)) {
            if Task.isCancelled { return DataLookup(ticket: .refused, entry: .failure(CancellationError())) }
            let lookup = await tiers.all[index].lookUp(key)
            tickets[index] = lookup.ticket
            guard case .success(let entry) = lookup.entry else { continue }
            guard let entry else {
                missed.append(index)
                continue
            }
            if takesAllTickets, tickets.count < tiers.all.count {
                await takeOtherTickets(&tickets, forSource: key.source)
                let current = await ticket(at: index, forSource: key.source)
                guard current.isOfSameGeneration(as: lookup.ticket) else { continue }
            }
            for upper in missed where tiers.policies.promotesHits {
                try? await tiers.all[upper].store(entry, for: key, with: tickets[upper] ?? .refused)
            }
            return DataLookup(ticket: ticket(tickets), entry: .success(entry))
        }
        if takesAllTickets { await takeOtherTickets(&tickets, forSource: key.source) }
        return DataLookup(ticket: ticket(tickets), entry: .success(nil))
    }

    private func takeOtherTickets(_ tickets: inout [Int: StoreTicket], forSource source: String) async {
        for index in tiers.all.indices.reversed() where tickets[index] == nil {
            tickets[index] = await ticket(at: index, forSource: source)
        }
    }

    private func ticket(at index: Int, forSource source: String) async -> StoreTicket {
        (try? await tiers.all[index].ticket(forSource: source)) ?? .refused
    }

    private func ticket(_ tickets: [Int: StoreTicket]) -> StoreTicket {
        StoreTicket(tiers: tiers.all.indices.map { tickets[$0] ?? .refused })
    }

    /// Calls `body` for each of `visited`, one after the other by default. Throws the first error at the end.
    private func visit<Tier: Sendable>(
        _ visited: [Tier], concurrently: Bool = false, _ body: @escaping @Sendable (Tier) async throws -> Void
    ) async throws {
        var failures: [any Error] = []
        if concurrently, visited.count > 1 {
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
