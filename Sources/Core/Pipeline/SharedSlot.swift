import DarkroomPlatform

/// The shared cache and its leases, as one request may use them.
struct SharedSlot: Sendable {
    private let rules: CacheRules
    private let tier: SharedCacheState
    /// The ticket with which the run stores, taken before it reads anything.
    private let ticket: StoreTicket

    /// Returns `nil` if the manager has no shared cache, or the request must not use it: because it has data caches or
    /// credentials of its own, or its source is on this machine.
    init?(_ rules: CacheRules) {
        guard let tier = rules.manager.shared, let key = rules.request.key, rules.context.usesCommonDataCaches,
            !rules.isLocal
        else { return nil }
        (self.rules, self.tier, ticket) = (rules, tier, tier.ticket(forSource: key.source))
        if sendsCredentials { return nil }
    }

    /// Whether one node does the work of a fleet while the others wait.
    var hasLeases: Bool { tier.options.leases != nil && rules.context.cacheUse == .standard }

    private var sendsCredentials: Bool {
        let fields = rules.requestFields
        return fields["authorization"] != nil || fields["cookie"] != nil
    }

    private var budget: TierBudget {
        TierBudget.current ?? TierBudget(tier.options.budget, clock: tier.options.clock)
    }
}

// Lookups.
extension SharedSlot {
    /// Returns the entry of `artifact`, if there is an answer within the budget of the request. The time until there is `memory`
    /// for it does not count.
    func entry(of artifact: Artifact, _ trace: LoadTrace, _ memory: TransferMemory?) async -> DataEntry? {
        if artifact.kind == .original, let ahead = OriginalLookAhead.current,
            await trace.measure(.shared, of: { await isMissing(artifact.key, ahead) })
        {
            return nil
        }
        return await trace.measure(.shared) { await entry(of: artifact, memory) { try await $0.entry(for: $1) } }
    }

    /// Returns whether `ahead` has found out, within the budget of the request, that there is no original at `key`.
    private func isMissing(_ key: CacheKey, _ ahead: OriginalLookAhead) async -> Bool {
        await budget.result { await ahead.isMissing(key) } ?? false
    }

    /// Returns the same without side effects.
    func peek(at artifact: Artifact) async -> DataEntry? {
        await entry(of: artifact) { try await $0.peek(at: $1) }
    }

    private func entry(
        of artifact: Artifact, _ memory: TransferMemory? = nil,
        _ lookUp: @escaping @Sendable (any DataCache, CacheKey) async throws -> DataEntry?
    ) async -> DataEntry? {
        let key = artifact.key
        let (cache, report) = (tier.options.cache, rules.manager.reportFailure(of: key, isRead: true))
        let entry = try? await EntryReading<DataEntry?>.result(in: EntryMemory(memory)) { memory in
            await EntryMemory.$current.withValue(memory.withoutWaits) {
                await budget.result {
                    do {
                        return try await .catchingShortage { try await lookUp(cache, key) }
                    } catch {
                        report(error)
                        return .finished(nil)
                    }
                } ?? .finished(nil)
            }
        }
        guard let entry = entry ?? nil, artifact.accepts(entry), !tier.isRemoved(entry, for: key) else { return nil }
        return rules.permits(entry.metadata.original) ? entry : nil
    }
}

// Leased work.
extension SharedSlot {
    /// Returns the product that `lookUp` finds in the shared cache, at once or after another node has made it, or that
    /// `make` makes, under a lease if there are any.
    ///
    /// Whether the cache has the original of a result is found out while it is searched for the result.
    ///
    /// - Throws: The errors of `lookUp` and `make`, and `RevalidatedElsewhere` if a revalidation in the background is not
    ///   needed.
    func product<Product: Sendable>(
        of artifact: Artifact, _ trace: LoadTrace,
        lookUp: () async throws -> Product?, make: () async throws -> LeasedWork<Product>.Product
    ) async throws -> Product {
        let ahead = artifact.kind == .original ? nil : lookAhead()
        defer { ahead?.end() }
        if let product = try await lookUp() { return product }
        return try await leased(artifact, trace) {
            ahead?.end()
            return try await lookUp()
        } make: {
            guard let ahead else { return try await make() }
            return try await OriginalLookAhead.$current.withValue(ahead) { try await make() }
        }
    }

    private func leased<Product: Sendable>(
        _ artifact: Artifact, _ trace: LoadTrace,
        lookUp: () async throws -> Product?, make: () async throws -> LeasedWork<Product>.Product
    ) async throws -> Product {
        guard hasLeases, let leases = tier.options.leases else { return try await make().value }
        let work = LeasedWork<Product>(
            leases: leases, name: WorkName(artifact.kind.work, of: artifact.key), budget: budget,
            clock: tier.options.clock, storePatience: tier.options.storePatience, waits: !rules.request.isInBackground,
            trace: trace)
        switch try await work.outcome(lookUp: lookUp, make: make) {
        case .made(let product), .found(let product): return product
        case .skipped: throw RevalidatedElsewhere()
        }
    }

    private func lookAhead() -> OriginalLookAhead? {
        guard let key = rules.request.originalKey else { return nil }
        // Time is spent by the search for the result, which goes on meanwhile.
        let ownBudget = TierBudget(budget.remaining, clock: tier.options.clock)
        return OriginalLookAhead(key) { [cache = tier.options.cache] in
            await ownBudget.result { try await cache.contains(key) }
        }
    }
}

// Stores and removals, which go on in the background.
extension SharedSlot {
    /// Starts to store the entry that `make` returns under `key`. Returns `nil` if an entry made from `version` must
    /// not be shared.
    func store(
        _ version: OriginalVersion?, byteCount: Int, for key: CacheKey,
        making make: @escaping @Sendable () async -> DataEntry?
    ) -> SharedStore? {
        // The credentials of a loader may change while it is in use.
        guard let shared = version?.shared, !sendsCredentials else { return nil }
        let content = PendingStores.Content(byteCount: byteCount, ticket: ticket)
        return tier.store(content, for: key, reporting: rules.manager.reportFailure(of: key)) {
            guard let entry = await make() else { return nil }
            var metadata = entry.metadata
            metadata.original = shared
            return DataEntry(entry.data, metadata: metadata)
        }
    }

    /// Removes all entries of the source of the request. Those that were stored before now count as misses at once.
    func removeAll() {
        guard let key = rules.request.key else { return }
        tier.remove(source: key.source, before: rules.now, reporting: rules.manager.reportFailure(of: key))
    }

    /// Removes the entry of `key`, which is not an image.
    func remove(_ key: CacheKey) { tier.remove(key, reporting: rules.manager.reportFailure(of: key)) }

    /// Removes the entries that `response` replaces.
    func replace(with response: SourceResponse) {
        tier.replace(with: response, reporting: rules.manager.reportFailure(of: response.original))
    }
}

/// The end of a revalidation in the background because another node is doing it.
struct RevalidatedElsewhere: Error {}

extension ImageContext {
    /// Whether all entries go to the same data caches as those of other requests.
    var usesCommonDataCaches: Bool { dataCache == nil && originalCache == nil }
}
