/// Work that one node of a fleet does, while the others wait for what it leaves in the shared cache.
///
/// Only the right to work is passed between the nodes. Whatever goes wrong with a lease, the work is done: without an
/// answer of the engine, at once; when the holder dies, by one of those that wait; and when its result is not shared, or
/// the engine never lets the lease end, by each of them.
struct LeasedWork<Value: Sendable>: Sendable {
    /// The product, and its fate in the shared cache.
    struct Product: Sendable {
        let value: Value
        /// The store in the shared cache; `nil` if the value is not stored there.
        let store: SharedStore?
    }

    /// The result of leased work.
    enum Outcome: Sendable {
        /// Made by this node.
        case made(Value)
        /// Made by another node meanwhile, and found in the shared cache.
        case found(Value)
        /// Another node is at work, and the caller does not wait.
        case skipped
    }

    /// The time after which a node that waits for news asks for the lease again: the holder may have died.
    static var patience: Duration { .milliseconds(250) }

    /// The time after which a node works without a lease, because the engine seems to know no end of it.
    private static var longestWait: Duration { LeaseKeeper.longestLease + .seconds(60) }

    /// The number of times that a node does not find what others claim to have shared, before it works without a
    /// lease: its request may not be able to use it.
    private static var disappointmentLimit: Int { 2 }

    let leases: any WorkLeases
    let name: WorkName
    let budget: TierBudget
    let clock: any Clock<Duration>
    /// The time for which the others wait for the store of a result while no store ends.
    var storePatience = SharedCaching.defaultStorePatience
    /// Whether to wait for another node; otherwise its work is not repeated.
    var waits = true
    /// The report of the load, which gets the time spent on asking and waiting.
    var trace: LoadTrace?

    /// Returns what `lookUp` finds in the shared cache after another node has worked, or what `make` makes.
    ///
    /// - Parameters:
    ///   - lookUp: Looks into the shared cache. Called after another node has stored its result, and after this node
    ///     has obtained the lease if the work may have been done since the caller looked, which it has just done.
    ///   - make: Does the work. Called at most once.
    func outcome(
        lookUp: () async throws -> Value?, make: () async throws -> Product
    ) async throws -> Outcome {
        var disappointments = 0
        var hasWaited = false
        let stopwatch = Stopwatch(clock)
        while true {
            try Task.checkCancellation()
            switch await answer(asksAgain: hasWaited) {
            case .unknown: return .made(try await make().value)
            case .granted(let lease):
                let looksAgain = hasWaited || lease.mayBeDone
                return try await outcome(
                    with: LeaseKeeper(lease, clock: clock), lookUp: looksAgain ? lookUp : { nil }, make: make)
            case .held(let lease):
                guard waits else { return .skipped }
                hasWaited = true
                let news = await measured { await lease.outcome(within: Self.patience) }
                try Task.checkCancellation()
                let isPatient = stopwatch.elapsed() < Self.longestWait
                switch news {
                case .shared:
                    // What another node has just stored can be read, even if this one is busy.
                    budget.restart()
                    if let value = try await lookUp() { return .found(value) }
                    disappointments += 1
                    if disappointments >= Self.disappointmentLimit { return .made(try await make().value) }
                case .cancelled where isPatient, nil where isPatient: break
                case .unshared, .failed, .cancelled, nil:
                    // The original that this work needs is probably not shared either. If the nodes asked for its lease,
                    // they would fetch it one after the other.
                    budget.endLeases()
                    return .made(try await make().value)
                }
            }
        }
    }

    /// Returns whether the store has succeeded. It is not awaited if the tier has already failed this request.
    private func isStored(_ store: SharedStore?) async -> Bool {
        guard let store, budget.remaining > .zero else { return false }
        return await store.isStored(patience: storePatience, clock: clock)
    }

    /// Asks for the lease, unless the engine has already failed the request.
    private func answer(asksAgain: Bool) async -> LeaseAnswer {
        let left = budget.remaining
        guard budget.permitsLeases else { return .unknown }
        let answer = await measured { await leases.lease(for: name, budget: budget) }
        switch answer {
        // Asking whether the holder is still at work is part of waiting for it, however long that takes.
        case .held where asksAgain: budget.spend(budget.remaining - left)
        case .unknown: budget.endLeases()
        case .held, .granted: break
        }
        return answer
    }

    private func measured<Answer>(_ wait: () async -> Answer) async -> Answer {
        guard let trace else { return await wait() }
        return await trace.measure(.lease, of: wait)
    }

    private func outcome(
        with keeper: LeaseKeeper, lookUp: () async throws -> Value?, make: () async throws -> Product
    ) async throws -> Outcome {
        do {
            if let value = try await lookUp() {
                // The engine may hang.
                Task { await keeper.end(.shared) }
                return .found(value)
            }
            let product = try await make()
            // The caller need not wait until the others can read the result.
            Task { await keeper.end(await isStored(product.store) ? .shared : .unshared) }
            return .made(product.value)
        } catch {
            // Nor until they know of the failure.
            let isCancelled =
                Task.isCancelled || error is CancellationError || (error as? ImageError)?.kind == .cancelled
            Task { await keeper.end(isCancelled ? .cancelled : .failed) }
            throw error
        }
    }
}
