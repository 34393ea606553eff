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
        let source = tiers.policies.promotesHits ? key.source : nil
        let hit = try await Tiers.firstHit(in: tiers.queried, promoting: source) { try await $0.entry(for: key) }
        guard let hit else { return nil }
        for upper in hit.missed { try? await upper.tier.store(hit.value, for: key, with: upper.ticket) }
        return hit.value
    }

    /// Returns the same without any side effect: hits are not copied to higher tiers.
    public func peek(at key: CacheKey) async throws -> DataEntry? {
        try await Tiers.firstHit(in: tiers.queried) { try await $0.peek(at: key) }?.value
    }

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
        var tickets: [StoreTicket] = []
        for tier in tiers.all.reversed() { tickets.append((try? await tier.ticket(forSource: source)) ?? .refused) }
        return StoreTicket(tiers: tickets.reversed())
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
        try await Tiers.firstHit(in: tiers.checked) { try await $0.contains(key) ? true : nil } != nil
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
