#if os(Linux) || os(macOS)
    @testable import DarkroomCore
    @testable import DarkroomFleet
    import DarkroomTestKit

    #if canImport(FoundationEssentials)
        import FoundationEssentials
    #else
        import Foundation
    #endif

    /// A node of a simulated fleet: a manager with a shared tier.
    ///
    /// The leases, the shared cache, the budget and the breakers are those of the library. The flow around them is that
    /// of `LoadJob` and `OriginalJob`, without images: a real manager decodes on threads of its own, whose order no seed
    /// determines.
    final class SimulatedNode: Sendable {
        private static let budget = Duration.milliseconds(500)

        let life: NodeLife
        private let world: World
        private let clock: VirtualClock
        private let shared: SharedCacheState?
        private let leases: LedgerLeases?
        private let cachedKeys = Locked<Set<CacheKey>>([])
        private let runs = Locked<[CacheKey: Task<Void, any Error>]>([:])

        init(_ world: World, id: Int) {
            let (scenario, runtime) = (world.scenario, world.runtime)
            let (skew, drift) = (scenario.skew, scenario.drift)
            let life = NodeLife(id: id, liveCount: world.liveNodeCount)
            // A generator of its own, so that wrong clocks change nothing else.
            var generator = SeededGenerator(seed: UInt64(id) &* 31 &+ scenario.seed)
            let clock = VirtualClock(
                runtime: runtime,
                skew: .milliseconds(Int64.random(in: -1000...1000, using: &generator)) * (skew / .seconds(1)),
                drift: .random(in: -drift...drift, using: &generator))
            (self.world, self.life, self.clock) = (world, life, clock)
            let objects = SimulatedObjects(
                store: world.store, link: Link(life, to: world.store.condition, runtime: runtime), runtime: runtime)
            let cache = ObjectDataCache(objects, purges: nil, configuration: .init(), clock: clock)
            var options = SharedCaching(cache)
            options.pendingByteLimit = scenario.pendingByteLimit
            shared = scenario.usesStore ? SharedCacheState(options) : nil
            let link = Link(life, to: world.leases.condition, runtime: runtime)
            let base = SimulatedLeases(world: world, link: link, clock: clock, lostRenewals: scenario.lostRenewals)
            let breaking = BreakingLeases(base, rule: .init(), clock: clock) { cache.reachesOthers }
            leases = scenario.usesLeases ? LedgerLeases(base: breaking, runtime: runtime) : nil
        }

        /// Returns once the node has `variant`.
        func load(_ variant: Herd.Variant) async throws {
            guard !has(variant.key) else { return }
            try await join(variant.key) { [self] in
                let (ledger, start) = (Ledger(), world.runtime.now)
                try await TierBudget.$current.withValue(TierBudget(Self.budget, clock: clock)) {
                    try await Ledger.$current.withValue(ledger) { try await make(variant) }
                }
                check(world.runtime.now - start - ledger.time, of: variant)
            }
        }

        private func make(_ variant: Herd.Variant) async throws {
            try await result(of: variant.work) { [self] in
                try await fetch(variant.source)
                try await world.make(variant, by: life)
            }
        }

        private func fetch(_ source: Herd.Source) async throws {
            guard !has(source.key) else { return }
            let start = world.runtime.now
            let isLeader = try await join(source.key) { [self] in
                try await result(of: source.work) { [self] in try await world.fetch(source, by: life) }
            }
            if !isLeader { Ledger.current?.add(world.runtime.now - start) }
        }

        /// Copies the result of `work` from the shared cache, or makes it with `make`.
        private func result(of work: WorkName, make: () async throws -> Void) async throws {
            try await find(work, make: make)
            cachedKeys.withLock { _ = $0.insert(work.key) }
        }

        private func find(_ work: WorkName, make: () async throws -> Void) async throws {
            guard let shared else { return try await make() }
            let budget = TierBudget.current ?? TierBudget(Self.budget, clock: clock)
            if await shared.has(work.key, budget) { return }
            guard let leases else {
                try await make()
                _ = shared.store(work.key)
                return
            }
            let leased = LeasedWork<Void>(leases: leases, name: work, budget: budget, clock: clock)
            _ = try await leased.outcome {
                await shared.has(work.key, budget) ? () : nil
            } make: {
                try await make()
                return .init(value: (), store: shared.store(work.key))
            }
        }

        private func has(_ key: CacheKey) -> Bool { cachedKeys.withLock { $0.contains(key) } }

        /// Waits for the run of `key`, which is started with `body` if there is none. Returns whether it was.
        @discardableResult
        private func join(_ key: CacheKey, _ body: @escaping @Sendable () async throws -> Void) async throws -> Bool {
            let (run, isLeader) = runs.withLock { runs in
                if let run = runs[key] { return (run, false) }
                let run = Task {
                    defer { self.runs.withLock { $0[key] = nil } }
                    try await body()
                }
                runs[key] = run
                return (run, true)
            }
            try await run.value
            return isLeader
        }

        /// Checks that a request has spent no more than its budget on the tier: all but work, and waiting for others.
        private func check(_ time: Duration, of variant: Herd.Variant) {
            let clockError = Duration.microseconds(1) + Self.budget * (Double(world.scenario.drift) / 1_000_000)
            guard time > Self.budget + clockError else { return }
            world.noteFault("a request of \(variant.key) spends \(time) on the tier")
        }
    }

    extension SharedCacheState {
        /// Returns whether the entry of `key` is found within `budget`.
        fileprivate func has(_ key: CacheKey, _ budget: TierBudget) async -> Bool {
            await budget.result { [cache = options.cache] in try await cache.entry(for: key) != nil } ?? false
        }

        /// Starts to store an entry of `key`.
        fileprivate func store(_ key: CacheKey) -> SharedStore {
            store(byteCount: 1, for: key, reporting: { _ in }) {
                DataEntry(Data([1]), metadata: .init(storedAt: Date()))
            }
        }
    }
#endif
