#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The shared cache and the leases, as one request may use them.
struct RequestSharing {
    private let request: Request
    private let pipeline: LoadPipeline
    private let tier: SharedCacheState

    /// Returns `nil` if the manager has no shared cache, or the request must not use it: because it has caches or
    /// credentials of its own, or its source is on this machine.
    init?(for request: Request, in pipeline: LoadPipeline) {
        guard let tier = pipeline.shared, request.key != nil, CacheSet(for: request, in: pipeline).areShared,
            request.loader?.localVersion(of: request.url) == nil
        else { return nil }
        let fields = pipeline.caches(for: request).requestFields
        guard fields["authorization"] == nil, fields["cookie"] == nil else { return nil }
        (self.request, self.pipeline, self.tier) = (request, pipeline, tier)
    }

    /// Returns the entry of `key`, if there is an answer within the budget of the request.
    func entry(for key: CacheKey, _ trace: LoadTrace) async -> DataEntry? {
        await trace.measure(.shared) { await entry(for: key) { try await $0.entry(for: key) } }
    }

    /// Returns the entry of the original at `key`, unless it is known that there is none.
    func original(at key: CacheKey, _ trace: LoadTrace) async -> DataEntry? {
        if let ahead = OriginalLookAhead.current,
            await trace.measure(.shared, of: { await ahead.isMissing(key) })
        {
            return nil
        }
        return await entry(for: key, trace)
    }

    /// Returns the same without side effects.
    func peek(at key: CacheKey) async -> DataEntry? {
        await entry(for: key) { try await $0.peek(at: key) }
    }

    /// Starts to store the entry that `make` returns under `key`. Returns `nil` if an entry made from `version` must
    /// not be shared.
    func store(
        _ version: OriginalVersion?, byteCount: Int, for key: CacheKey,
        making make: @escaping @Sendable () async -> DataEntry?
    ) -> SharedStore? {
        guard let shared = version?.shared else { return nil }
        return tier.store(byteCount: byteCount, for: key, reporting: pipeline.reportFailure(of: key)) {
            guard let entry = await make() else { return nil }
            var metadata = entry.metadata
            metadata.original = shared
            return DataEntry(entry.data, metadata: metadata)
        }
    }

    /// Removes all entries of the source of the request, in the background. Those that were stored before now count as
    /// misses at once.
    func removeAll() {
        guard let key = request.key else { return }
        tier.remove(
            source: key.source, before: pipeline.components.now(), reporting: pipeline.reportFailure(of: key))
    }

    /// Removes the entry of `key`, which is not an image, in the background.
    func remove(_ key: CacheKey) { tier.remove(key, reporting: pipeline.reportFailure(of: key)) }

    /// Removes the entries that `response` replaces, in the background.
    func replace(with response: SourceResponse) {
        guard let key = request.key else { return }
        tier.replace(with: response, reporting: pipeline.reportFailure(of: key))
    }

    /// Returns the result that `lookUp` finds in the shared cache, or that `make` makes of the original, under a lease if
    /// there are any. Whether the cache has the original is found out at the same time.
    ///
    /// - Throws: The errors of `leased`.
    func result<Value: Sendable>(
        at key: CacheKey, _ trace: LoadTrace,
        lookUp: () async throws -> Value?, make: () async throws -> LeasedWork<Value>.Product
    ) async throws -> Value {
        let ahead = lookAhead()
        defer { ahead?.end() }
        if let value = try await lookUp() { return value }
        return try await leased(.result, at: key, trace) {
            ahead?.end()
            return try await lookUp()
        } make: {
            try await OriginalLookAhead.$current.withValue(ahead) { try await make() }
        }
    }

    /// Returns what `lookUp` finds in the shared cache once another node has done the work, or what `make` makes, under
    /// a lease if there are any.
    ///
    /// - Throws: The errors of `make`, and `RevalidatedElsewhere` if a revalidation in the background is not needed.
    func leased<Value: Sendable>(
        _ kind: WorkName.Kind, at key: CacheKey, _ trace: LoadTrace,
        lookUp: () async throws -> Value?, make: () async throws -> LeasedWork<Value>.Product
    ) async throws -> Value {
        guard let leases = tier.options.leases, request.context.cacheUse == .standard else {
            return try await make().value
        }
        let work = LeasedWork<Value>(
            leases: leases, name: WorkName(kind, of: key), budget: budget, clock: tier.options.clock,
            storePatience: tier.options.storePatience, waits: !request.isInBackground, trace: trace)
        switch try await work.outcome(lookUp: lookUp, make: make) {
        case .made(let value), .found(let value): return value
        case .skipped: throw RevalidatedElsewhere()
        }
    }

    private func lookAhead() -> OriginalLookAhead? {
        guard let key = request.originalKey else { return nil }
        // Time is spent by the search for the result, which goes on meanwhile.
        let ownBudget = TierBudget(budget.remaining, clock: tier.options.clock)
        return OriginalLookAhead(key) { [cache = tier.options.cache] in
            await ownBudget.result { try await cache.contains(key) }
        }
    }

    private func entry(
        for key: CacheKey, _ lookUp: @escaping @Sendable (any DataCache) async throws -> DataEntry?
    ) async -> DataEntry? {
        let (cache, report) = (tier.options.cache, pipeline.reportFailure(of: key, isRead: true))
        let entry = await budget.result {
            do {
                return try await lookUp(cache)
            } catch {
                report(error)
                return nil
            }
        }
        guard let entry = entry ?? nil, !tier.isRemoved(entry, for: key) else { return nil }
        return pipeline.permits(entry.metadata.original, for: request) ? entry : nil
    }

    private var budget: TierBudget {
        TierBudget.current ?? TierBudget(tier.options.budget, clock: tier.options.clock)
    }
}

/// The end of a revalidation in the background because another node is doing it.
struct RevalidatedElsewhere: Error {}
