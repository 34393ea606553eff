#if os(Linux) || os(macOS)
    @testable import DarkroomCore
    @testable import DarkroomFleet
    import DarkroomPlatform
    import DarkroomTestKit

    /// A node of a simulated fleet: a manager with a shared tier.
    ///
    /// The leases, the shared cache, the budget, the breakers and the walk through all of them, `Step`, are those of the
    /// library. Only the images are missing: a real manager decodes on threads of its own, whose order no seed determines.
    final class SimulatedNode: Sendable {
        private static let budget = Duration.milliseconds(500)

        let life: NodeLife
        private let world: World
        private let clock: VirtualClock
        private let pipeline: LoadPipeline
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
            options.clock = clock
            let link = Link(life, to: world.leases.condition, runtime: runtime)
            let base = SimulatedLeases(world: world, link: link, clock: clock, lostRenewals: scenario.lostRenewals)
            let breaking = BreakingLeases(base, rule: .init(), clock: clock) { cache.reachesOthers }
            if scenario.usesLeases { options.leases = LedgerLeases(base: breaking, runtime: runtime) }
            var components = ImageManager.Components()
            if scenario.usesStore { components.shared = options }
            pipeline = LoadPipeline(components)
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
            try await run(.result, variant.key, of: variant.source) { [self] in
                try await fetch(variant.source)
                try await world.make(variant, by: life)
            }
        }

        private func fetch(_ source: Herd.Source) async throws {
            guard !has(source.key) else { return }
            let start = world.runtime.now
            let isLeader = try await join(source.key) { [self] in
                try await run(.original, source.key, of: source) { [self] in
                    try await world.fetch(source, by: life)
                }
            }
            if !isLeader { Ledger.current?.add(world.runtime.now - start) }
        }

        /// Copies the product at `key` from the shared cache, or makes it with `make`.
        private func run(
            _ kind: Artifact.Kind, _ key: CacheKey, of source: Herd.Source, make: @escaping () async throws -> Void
        ) async throws {
            guard let url = URL(string: source.url) else { return }
            let request = Request(url, context: .init(), pipeline: pipeline)
            try await SimulatedRun(kind, at: key, of: await pipeline.caches(for: request), work: make).product()
            cachedKeys.withLock { _ = $0.insert(key) }
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

    /// A step of a simulated node, which makes nothing but an entry of the shared cache.
    private final class SimulatedRun: Step {
        let caches: RequestCaches
        let trace = LoadTrace()
        let memory = MemoryBudget().makeTransferMemory(.constant(.normal))
        let artifact: Artifact?
        private let key: CacheKey
        private let work: () async throws -> Void

        init(_ kind: Artifact.Kind, at key: CacheKey, of caches: RequestCaches, work: @escaping () async throws -> Void)
        {
            self.caches = caches
            self.key = key
            self.work = work
            artifact = Artifact(
                kind: kind, key: key, slot: caches.results, isRead: true, isStored: false, shared: caches.shared)
        }

        func open(_ found: Found) -> Void? { () }

        func input(_ lookup: Lookup) async throws { try await work() }

        func make(of input: Void, _ lookup: Lookup) -> LeasedWork<Void>.Product {
            let version = OriginalVersion(revision: key.source)
            let store = caches.shared?.store(version, byteCount: 1, for: key) {
                var metadata = DataEntry.Metadata(storedAt: Date())
                metadata.original = version
                return DataEntry(Data([1]), metadata: metadata)
            }
            return .init(value: (), store: store)
        }
    }
#endif
