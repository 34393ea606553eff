#if os(Linux) || os(macOS)
    import DarkroomCore

    /// An engine of leases, as a Valkey server is one: it knows keys that expire by its own clock, channels, and which nodes
    /// are connected.
    final class SimulatedLeaseEngine: Sendable {
        /// The answer to a request for a lease.
        struct Reply: Sendable {
            let isGranted: Bool
            /// The token of the holder.
            let holder: Int
            let mayBeDone: Bool
        }

        /// An observer of leases that are granted.
        struct Observer: Sendable {
            let noteGrant: @Sendable (WorkName, _ node: Int) -> Void
        }

        private struct Holding {
            let token: Int
            let node: Int
            var expiry: Duration
        }

        private struct Listener {
            let id: Int
            let node: Int
            let hear: @Sendable (_ token: Int, WorkOutcome) -> Void
        }

        private struct State {
            var holdings: [WorkName: Holding] = [:]
            var memories: [WorkName: Duration] = [:]
            var listeners: [WorkName: [Listener]] = [:]
            /// The granted leases that were not ended, by token.
            var unended: [Int: Int] = [:]
            var deathCounts: [WorkName: Int] = [:]
            var grantCounts: [WorkName: Int] = [:]
            /// The nodes whose connections have ended.
            var goneNodes: Set<Int> = []
        }

        /// The time for which the engine remembers that a result was shared.
        private static let memory = Duration.seconds(10)

        let condition: Locked<EngineCondition>
        let life: Duration
        let observer = Locked<Observer?>(nil)
        private let runtime: VirtualRuntime
        private let state = Locked(State())

        init(_ condition: EngineCondition, life: Duration, runtime: VirtualRuntime) {
            (self.condition, self.life, self.runtime) = (Locked(condition), life, runtime)
        }

        /// The number of leases of nodes that live that were granted, but not ended.
        var unendedCount: Int { state.withLock(\.unended.count) }

        /// The number of listeners that were not removed.
        var listenerCount: Int { state.withLock { $0.listeners.values.reduce(0) { $0 + $1.count } } }

        /// Returns the number of nodes that died while they held the lease of `work`.
        func deathCount(of work: WorkName) -> Int { state.withLock { $0.deathCounts[work] ?? 0 } }

        /// Returns the number of times that the lease of `work` was granted.
        func grantCount(of work: WorkName) -> Int { state.withLock { $0.grantCounts[work] ?? 0 } }

        /// Forgets all leases.
        func flush() {
            state.withLock { state in
                state.holdings = [:]
                state.memories = [:]
            }
        }

        /// Forgets everything, because a new process takes its place. Nodes that listen hear nothing any more.
        func restart() {
            flush()
            state.withLock { $0.listeners = [:] }
        }

        /// Forgets what it knows of nodes that reach it no more.
        func forgetEverything() {
            restart()
            state.withLock { $0.unended = [:] }
        }

        /// Notes that a node has died, with its process, so that its connection ends, or silently.
        func noteDeath(of node: Int, isSilent: Bool) {
            let now = runtime.now
            state.withLock { state in
                if !isSilent { state.goneNodes.insert(node) }
                for (work, holding) in state.holdings where holding.node == node && holding.expiry > now {
                    state.deathCounts[work, default: 0] += 1
                }
                state.unended = state.unended.filter { $0.value != node }
                state.listeners = state.listeners.mapValues { $0.filter { $0.node != node } }.filter {
                    !$0.value.isEmpty
                }
            }
        }

        func ask(for work: WorkName, token: Int, node: NodeLife) -> Reply {
            let (now, life) = (runtime.now, life)
            let reply = state.withLock { state in
                if let holding = state.holdings[work], holding.expiry > now, !state.goneNodes.contains(holding.node) {
                    return Reply(isGranted: false, holder: holding.token, mayBeDone: false)
                }
                state.holdings[work] = Holding(token: token, node: node.id, expiry: now + life)
                if node.isAlive {
                    state.unended[token] = node.id
                } else {
                    state.deathCounts[work, default: 0] += 1
                }
                state.grantCounts[work, default: 0] += 1
                let mayBeDone = state.memories[work].map { $0 > now } ?? false
                return Reply(isGranted: true, holder: token, mayBeDone: mayBeDone)
            }
            if reply.isGranted { observer.value?.noteGrant(work, node.id) }
            return reply
        }

        /// Returns whether the lease is still held.
        func renew(_ work: WorkName, token: Int) -> Bool {
            let (now, life) = (runtime.now, life)
            return state.withLock { state in
                guard let holding = state.holdings[work], holding.token == token, holding.expiry > now else {
                    return false
                }
                state.holdings[work]?.expiry = now + life
                return true
            }
        }

        func end(_ work: WorkName, token: Int, _ outcome: WorkOutcome) {
            let now = runtime.now
            let listeners = state.withLock { state -> [Listener] in
                state.unended[token] = nil
                guard let holding = state.holdings[work], holding.token == token, holding.expiry > now else {
                    return []
                }
                state.holdings[work] = nil
                if outcome == .shared { state.memories[work] = now + Self.memory }
                return state.listeners[work] ?? []
            }
            for listener in listeners { listener.hear(token, outcome) }
        }

        func addListener(
            _ id: Int, of node: NodeLife, to work: WorkName,
            hear: @escaping @Sendable (_ token: Int, WorkOutcome) -> Void
        ) {
            guard node.isAlive else { return }
            state.withLock { $0.listeners[work, default: []].append(Listener(id: id, node: node.id, hear: hear)) }
        }

        func removeListener(_ id: Int, from work: WorkName) {
            state.withLock { state in
                state.listeners[work]?.removeAll { $0.id == id }
                if state.listeners[work]?.isEmpty == true { state.listeners[work] = nil }
            }
        }
    }
#endif
