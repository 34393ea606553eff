#if os(Linux) || os(macOS)
    import DarkroomCore

    /// The outside world of the nodes in a simulation, and the record of what they do.
    final class World: Sendable {
        /// A request, and what became of it.
        struct Answer: Sendable {
            let arrival: Herd.Arrival
            /// The place of the node in the fleet.
            let place: Int
            /// The time until the response; `nil` if the node died.
            let latency: Duration?
        }

        private struct State {
            var fetches: [Herd.Source: Int] = [:]
            var makes: [Herd.Variant: Int] = [:]
            var answers: [Answer] = []
            var faults: [String] = []
            /// A hash of all events in order, by which two runs are compared.
            var digest: UInt64 = 0xcbf2_9ce4_8422_2325

            mutating func digest(_ values: Int64...) {
                for value in values { digest = (digest ^ UInt64(bitPattern: value)) &* 0x100_0000_01b3 }
            }
        }

        let runtime: VirtualRuntime
        let scenario: Scenario
        let store: SimulatedStore
        /// The number of nodes to which anything refers.
        let liveNodeCount = Locked(0)
        /// The engine of leases, or its halves if it is divided.
        private let leaseEngines: [SimulatedLeaseEngine]
        private let isPartitioned: Locked<Bool>
        private let state = Locked(State())

        init(_ scenario: Scenario, runtime: VirtualRuntime) {
            (self.scenario, self.runtime) = (scenario, runtime)
            isPartitioned = Locked(scenario.isPartitioned)
            leaseEngines = (0..<(scenario.isPartitioned ? 2 : 1)).map { _ in
                SimulatedLeaseEngine(
                    EngineCondition(latency: scenario.leaseLatency), life: scenario.leaseLife, runtime: runtime)
            }
            store = SimulatedStore(EngineCondition(latency: scenario.storeLatency))
        }

        /// The engine of leases, or the half that remains when a partition ends.
        var leases: SimulatedLeaseEngine { leaseEngines[0] }

        /// Returns the engine of leases that the node with this number reaches.
        func leaseEngine(of node: Int) -> SimulatedLeaseEngine {
            isPartitioned.value ? leaseEngines[node % leaseEngines.count] : leases
        }

        /// The number of leases of nodes that live that were granted, but not ended.
        var unendedLeaseCount: Int { leaseEngines.map(\.unendedCount).reduce(0, +) }

        /// The number of listeners that were not removed.
        var listenerCount: Int { leaseEngines.map(\.listenerCount).reduce(0, +) }

        var fetches: [Herd.Source: Int] { state.withLock(\.fetches) }
        var makes: [Herd.Variant: Int] { state.withLock(\.makes) }
        var answers: [Answer] { state.withLock(\.answers) }
        var faults: [String] { state.withLock(\.faults) }
        var digest: UInt64 { state.withLock(\.digest) }

        /// Fetches `source` from the origin server.
        func fetch(_ source: Herd.Source, by life: NodeLife) async throws {
            try await work(for: scenario.herd.fetchTime(of: source), by: life) { state in
                state.fetches[source, default: 0] += 1
                state.digest(1, Int64(source.index))
            }
        }

        /// Makes `variant` of its original.
        func make(_ variant: Herd.Variant, by life: NodeLife) async throws {
            try await work(for: scenario.herd.makeTime(of: variant), by: life) { state in
                state.makes[variant, default: 0] += 1
                state.digest(2, Int64(variant.source.index), Int64(variant.index))
            }
        }

        func note(_ answer: Answer) {
            state.withLock { state in
                state.answers.append(answer)
                let latency = answer.latency.map { $0 / .microseconds(1) } ?? -1
                state.digest(3, Int64(answer.place), Int64(latency * 1000))
            }
        }

        func noteFault(_ fault: String) { state.withLock { $0.faults.append(fault) } }

        func perform(_ event: Scenario.Event) {
            switch event {
            case .changeLeases(let change): leases.condition.withLock(change)
            case .changeStore(let change): store.condition.withLock(change)
            case .flushLeases: leases.flush()
            case .restartLeases: leases.restart()
            case .failStore: store.isFailing.withLock { $0 = true }
            case .endPartition:
                isPartitioned.withLock { $0 = false }
                for engine in leaseEngines.dropFirst() { engine.forgetEverything() }
            }
        }

        private func work(
            for time: Duration, by life: NodeLife, noting note: @Sendable (inout State) -> Void
        ) async throws {
            guard life.isAlive else { throw SimulatedFailure.death }
            state.withLock(note)
            try await Ledger.explained(by: runtime) { try await runtime.sleep(until: runtime.now + time) }
            guard life.isAlive else { throw SimulatedFailure.death }
        }
    }
#endif
