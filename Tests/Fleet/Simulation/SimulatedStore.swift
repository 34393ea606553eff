#if os(Linux) || os(macOS)
    @testable import DarkroomCore
    @testable import DarkroomFleet

    /// An object store. An object can be read as soon as the request that stores it has arrived.
    final class SimulatedStore: Sendable {
        let condition: Locked<EngineCondition>
        /// Whether it answers every request with an error.
        let isFailing = Locked(false)
        private let objects = Locked<Set<CacheKey>>([])

        init(_ condition: EngineCondition) { self.condition = Locked(condition) }

        func contains(_ key: CacheKey) -> Result<Bool, SimulatedFailure> {
            isFailing.value ? .failure(.refused) : .success(objects.withLock { $0.contains(key) })
        }

        func put(_ key: CacheKey) -> Result<Void, SimulatedFailure> {
            guard !isFailing.value else { return .failure(.refused) }
            return .success(objects.withLock { _ = $0.insert(key) })
        }
    }

    /// A failure of a simulated part.
    enum SimulatedFailure: Error {
        /// The engine answers with an error.
        case refused
        /// There is no answer in time.
        case timeout
        /// The node that works has died.
        case death
        /// The breaker is open.
        case notCalled
    }

    /// The shared cache of a node: the object store over its connection, behind the breaker and the queues of the library.
    /// The calls are those of `ObjectDataCache`, without envelopes.
    struct SimulatedObjects: Sendable {
        private let store: SimulatedStore
        private let link: Link
        private let runtime: VirtualRuntime
        private let configuration = SharedTier.Configuration()
        private let breaker: Breaker
        private let reads: AdmissionQueue
        private let writes: WriteQueue
        private let lastAnswer = Locked<Duration?>(nil)
        private let storedCount = Locked(0)

        init(_ store: SimulatedStore, link: Link, clock: VirtualClock) {
            (self.store, self.link, runtime) = (store, link, clock.runtime)
            breaker = Breaker(configuration.breaker, clock: clock)
            reads = AdmissionQueue(limit: configuration.maxConcurrentReads)
            writes = WriteQueue(
                limit: configuration.maxConcurrentWrites, patience: configuration.writePatience, clock: clock)
        }

        /// Whether what this node stores reaches the other nodes.
        var reachesOthers: Bool { breaker.position == .closed && !writes.isStalled }

        /// Returns whether the entry of `key` is found within `budget`.
        func contains(_ key: CacheKey, _ budget: TierBudget) async -> Bool {
            await budget.result { [self] in try await contains(key) } ?? false
        }

        private func contains(_ key: CacheKey) async throws -> Bool {
            let admission = try await reads.admit()
            defer { admission.release() }
            let start = runtime.now
            do {
                let isFound = try await call(within: configuration.readDeadline) { [store] in store.contains(key) }
                lastAnswer.withLock { [runtime] in $0 = runtime.now }
                return isFound
            } catch {
                // As `SilenceWatch`: a store that is only slow is asked again.
                if !Task.isCancelled, lastAnswer.value.map({ $0 < start }) ?? true { TierBudget.current?.giveUp() }
                throw error
            }
        }

        /// Starts to store the entry of `key`, as `SharedCacheState` does.
        func put(_ key: CacheKey) -> SharedStore {
            let pending = SharedStore { [storedCount] in storedCount.value }
            Task {
                do {
                    try await writes.write(key.variant.isEmpty ? .low : .normal) {
                        try await call(within: configuration.writeDeadline) { [store] in store.put(key) }
                    }
                    storedCount.withLock { $0 += 1 }
                    pending.end(isStored: true)
                } catch {
                    pending.end(isStored: false)
                }
            }
            return pending
        }

        private func call<Value: Sendable>(
            within limit: Duration, _ serve: @escaping @Sendable () -> Result<Value, SimulatedFailure>
        ) async throws -> Value {
            let value = try await breaker.run {
                guard let answer = await link.answer(by: runtime.now + limit, serve) else {
                    throw SimulatedFailure.timeout
                }
                return try answer.get()
            }
            guard let value else { throw SimulatedFailure.notCalled }
            return value
        }
    }
#endif
