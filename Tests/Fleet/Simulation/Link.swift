#if os(Linux) || os(macOS)
    @testable import DarkroomCore

    /// Whether a node lives. A dead one reaches nothing any more, and nothing reaches it.
    final class NodeLife: Sendable {
        /// Unique among all nodes of a simulation, those that have been replaced included.
        let id: Int
        private let alive = Locked(true)
        private let liveCount: Locked<Int>

        /// Creates the life of a node that counts in `liveCount` as long as anything refers to it.
        init(id: Int, liveCount: Locked<Int>) {
            (self.id, self.liveCount) = (id, liveCount)
            liveCount.withLock { $0 += 1 }
        }

        deinit { liveCount.withLock { $0 -= 1 } }

        var isAlive: Bool { alive.value }

        func end() { alive.withLock { $0 = false } }
    }

    /// How well an engine answers.
    struct EngineCondition: Sendable {
        /// The time that a message takes, one way.
        var latency: ClosedRange<Duration>
        /// Whether requests reach it.
        var isReachable = true
    }

    /// The connection of a node to an engine. Messages arrive in the order in which they are sent.
    final class Link: Sendable {
        private struct State {
            var lastArrival = Duration.zero
            var lastDelivery = Duration.zero
        }

        let life: NodeLife
        private let runtime: VirtualRuntime
        private let engine: Locked<EngineCondition>
        private let state = Locked(State())

        init(_ life: NodeLife, to engine: Locked<EngineCondition>, runtime: VirtualRuntime) {
            (self.life, self.engine, self.runtime) = (life, engine, runtime)
        }

        /// Performs `action` at the engine.
        func send(_ action: @escaping @Sendable () -> Void) {
            guard life.isAlive else { return }
            transmit(\.lastArrival) { [engine] in if engine.value.isReachable { action() } }
        }

        /// Performs `action` at the node.
        func deliver(_ action: @escaping @Sendable () -> Void) {
            transmit(\.lastDelivery) { [life] in if life.isAlive { action() } }
        }

        /// Returns the answer of the engine; `nil` if none arrives before `end`, or the task is cancelled.
        func answer<Answer: Sendable>(
            by end: Duration, _ serve: @escaping @Sendable () -> Answer
        ) async -> Answer? {
            let limit = end - runtime.now
            guard limit > .zero, life.isAlive else { return nil }
            let first = FirstValue<Answer>()
            send { [self] in
                let answer = serve()
                deliver { first.offer(answer) }
            }
            let timer = runtime.after(limit) { first.offer(nil) }
            let answer = await first.value(ifCancelled: nil)
            runtime.cancel(timer)
            return answer
        }

        private func transmit(
            _ last: any WritableKeyPath<State, Duration> & Sendable, _ action: @escaping @Sendable () -> Void
        ) {
            let (now, latency) = (runtime.now, runtime.random(in: engine.value.latency))
            let time = state.withLock { state in
                state[keyPath: last] = max(state[keyPath: last], now + latency)
                return state[keyPath: last]
            }
            runtime.after(time - now, action)
        }
    }
#endif
