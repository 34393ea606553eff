#if os(Linux) || os(macOS)
    @testable import DarkroomCore
    @testable import DarkroomFleet
    import DarkroomTestKit

    /// A node of a simulated fleet: a manager with a shared tier.
    ///
    /// The leases, the budget and the breakers are those of the library. The flow around them is that of `LoadJob` and
    /// `OriginalJob`, without images: a real manager decodes on threads of its own, whose order no seed determines.
    final class SimulatedNode: Sendable {
        private static let budget = Duration.milliseconds(500)

        let life: NodeLife
        private let world: World
        private let clock: VirtualClock
        private let objects: SimulatedObjects?
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
                world.store, link: Link(life, to: world.store.condition, runtime: runtime), clock: clock)
            self.objects = scenario.usesStore ? objects : nil
            let link = Link(life, to: world.leases.condition, runtime: runtime)
            let base = SimulatedLeases(
                engine: world.leases, link: link, clock: clock, lostRenewals: scenario.lostRenewals)
            let breaking = BreakingLeases(base, rule: .init(), clock: clock) { objects.reachesOthers }
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
            try await shared(variant.work) { [self] in
                try await fetch(variant.source)
                try await world.make(variant, by: life)
            }
        }

        private func fetch(_ source: Herd.Source) async throws {
            guard !has(source.key) else { return }
            let start = world.runtime.now
            let isLeader = try await join(source.key) { [self] in
                try await shared(source.work) { [self] in try await world.fetch(source, by: life) }
            }
            if !isLeader { Ledger.current?.add(world.runtime.now - start) }
        }

        /// Copies the result of `work` from the shared cache, or makes it with `make`.
        private func shared(_ work: WorkName, make: () async throws -> Void) async throws {
            try await find(work, make: make)
            cachedKeys.withLock { _ = $0.insert(work.key) }
        }

        private func find(_ work: WorkName, make: () async throws -> Void) async throws {
            guard let objects else { return try await make() }
            let budget = TierBudget.current ?? TierBudget(Self.budget, clock: clock)
            if await objects.contains(work.key, budget) { return }
            guard let leases else {
                try await make()
                _ = objects.put(work.key)
                return
            }
            let leased = LeasedWork<Void>(leases: leases, name: work, budget: budget, clock: clock)
            _ = try await leased.outcome {
                await objects.contains(work.key, budget) ? () : nil
            } make: {
                try await make()
                return .init(value: (), store: objects.put(work.key))
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
#endif
