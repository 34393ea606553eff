#if os(Linux) || os(macOS)
    import DarkroomTestKit
    import Synchronization

    /// The Swift runtime of this process as a simulation: all tasks run on one thread, in an order that a seed determines,
    /// and time passes only when no task can run.
    ///
    /// The unstructured tasks of the library inherit no executor, so a hook of the runtime hands over every job. It affects
    /// the whole process: simulations run in exit tests.
    final class VirtualRuntime: Sendable {
        private enum Sleeper {
            case task(CheckedContinuation<Void, any Error>)
            case action(@Sendable () -> Void)
        }

        private struct State {
            var jobs: [UnownedJob] = []
            var now = Duration.zero
            var alarms = AlarmQueue()
            var sleepers: [Int: Sleeper] = [:]
            var lastID = 0
            var jobCount = 0
            var generator: SeededGenerator

            mutating func makeID() -> Int {
                lastID += 1
                return lastID
            }

            mutating func add(_ sleeper: Sleeper, _ id: Int, until deadline: Duration) {
                alarms.add(Alarm(deadline: deadline, id: id))
                sleepers[id] = sleeper
            }

            /// Returns a random job that is ready: the runtime promises no order.
            mutating func nextJob() -> UnownedJob? {
                guard !jobs.isEmpty else { return nil }
                jobCount += 1
                jobs.swapAt(jobs.count - 1, Int.random(in: 0..<jobs.count, using: &generator))
                return jobs.removeLast()
            }

            /// Advances the time to the next sleeper, and returns it.
            mutating func nextSleeper() -> Sleeper? {
                while let alarm = alarms.removeFirst() {
                    guard let sleeper = sleepers.removeValue(forKey: alarm.id) else { continue }
                    now = max(now, alarm.deadline)
                    return sleeper
                }
                return nil
            }
        }

        private static let running = Mutex<VirtualRuntime?>(nil)

        private let state: Mutex<State>

        private init(seed: UInt64) { state = Mutex(State(generator: SeededGenerator(seed: seed))) }

        /// The time since the start of the simulation.
        var now: Duration { state.withLock { $0.now } }

        /// The number of jobs that have run.
        var jobCount: Int { state.withLock { $0.jobCount } }

        /// Returns the result of `body`, once every task has ended or waits for an event that never occurs; `nil` if
        /// `body` itself does.
        ///
        /// - Throws: `RuntimeHook.MissingHook`.
        static func run<Value: Sendable>(
            seed: UInt64, _ body: @escaping @Sendable (VirtualRuntime) async -> Value
        ) throws -> Value? {
            let runtime = VirtualRuntime(seed: seed)
            running.withLock { $0 = runtime }
            defer { running.withLock { $0 = nil } }
            try RuntimeHook.install()
            let result = Locked<Value?>(nil)
            Task {
                let value = await body(runtime)
                result.withLock { $0 = value }
            }
            runtime.drain()
            try RuntimeHook.remove()
            return result.value
        }

        /// Adds `job` to those of the running simulation.
        static func enqueue(_ job: UnownedJob) {
            running.withLock { $0 }?.state.withLock { $0.jobs.append(job) }
        }

        /// Suspends the task until `deadline`.
        ///
        /// - Throws: `CancellationError` if the task is cancelled first.
        func sleep(until deadline: Duration) async throws {
            let id = state.withLock { $0.makeID() }
            try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { continuation in
                    let isOver = state.withLock { state in
                        guard !Task.isCancelled, deadline > state.now else { return true }
                        state.add(.task(continuation), id, until: deadline)
                        return false
                    }
                    if isOver { continuation.resume(with: Result { try Task.checkCancellation() }) }
                }
            } onCancel: {
                guard case .task(let continuation)? = remove(id) else { return }
                continuation.resume(throwing: CancellationError())
            }
        }

        /// Performs `action` after `delay`. Returns a number with which it can be cancelled.
        @discardableResult
        func after(_ delay: Duration, _ action: @escaping @Sendable () -> Void) -> Int {
            state.withLock { state in
                let id = state.makeID()
                state.add(.action(action), id, until: state.now + delay)
                return id
            }
        }

        /// Cancels the action with this number.
        func cancel(_ id: Int) { _ = remove(id) }

        /// Returns a random number of `range`.
        func random(in range: ClosedRange<Duration>) -> Duration {
            let width = Int64((range.upperBound - range.lowerBound) / .microseconds(1))
            return range.lowerBound + .microseconds(random(in: 0...width))
        }

        /// Returns a random number of `range`.
        func random(in range: ClosedRange<Int64>) -> Int64 {
            state.withLock { Int64.random(in: range, using: &$0.generator) }
        }

        /// Returns whether an event of this probability occurs.
        func chance(_ probability: Double) -> Bool {
            probability > 0 && state.withLock { Double.random(in: 0..<1, using: &$0.generator) } < probability
        }

        private func remove(_ id: Int) -> Sleeper? { state.withLock { $0.sleepers.removeValue(forKey: id) } }

        private func drain() {
            while true {
                if let job = state.withLock({ $0.nextJob() }) {
                    unsafe job.runSynchronously(on: RuntimeHook.genericExecutor)
                    continue
                }
                switch state.withLock({ $0.nextSleeper() }) {
                case .task(let continuation): continuation.resume()
                case .action(let action): action()
                case nil: return
                }
            }
        }
    }
#endif
