#if os(Linux)
    import DarkroomCore
    import DarkroomPlatform
    import Dispatch
    import Synchronization

    /// The workers of a pool, and the threads that wait for one.
    ///
    /// The worker that became idle last is taken first, because its memory is in the caches of the processor.
    final class WorkerLine: Sendable {
        /// The state that the lock guards.
        struct State {
            var idle: [Worker] = []
            /// The number of workers that are to be started when they are needed.
            var missingCount: Int
            /// The identifiers of all workers that live.
            var living: Set<Int> = []
            var waiters: [Waiter] = []
            var statistics = WorkerPool.Statistics()
            var greeting: Greeting?
            var lastID = 0
            var backoff = Backoff()
            var isRenewalScheduled = false
        }

        private let configuration: WorkerPool.Configuration
        let state: Mutex<State>
        private let lastToken = Atomic<UInt64>(0)

        init(_ configuration: WorkerPool.Configuration) {
            self.configuration = configuration
            state = Mutex(State(missingCount: configuration.count))
            for _ in 0..<configuration.count {
                guard let worker = try? start() else { break }
                state.withLock {
                    $0.missingCount -= 1
                    $0.idle.append(worker)
                }
            }
        }

        var statistics: WorkerPool.Statistics { state.withLock { $0.statistics } }

        var greeting: Greeting? { state.withLock { $0.greeting } }

        func newToken() -> UInt64 { lastToken.add(1, ordering: .relaxed).newValue }

        func withWorker<Result>(
            preferring id: Int? = nil, check: () throws -> Void, _ body: (Worker) throws -> Result
        ) throws -> Result {
            // Each of the workers may have ended while it was idle, and one may be killed by the system: a call whose workers
            // end again and again is at fault itself.
            var (earlierEnds, kills) = (0, 0)
            while true {
                let worker = try readyWorker(preferring: id, check: check)
                do {
                    return try run(worker, body)
                } catch let loss as WorkerLoss where loss.isEarlier && earlierEnds <= configuration.count {
                    earlierEnds += 1
                } catch let loss as WorkerLoss where loss.isKill && kills < 1 {
                    kills += 1
                }
            }
        }

        func withWorker<Result>(
            exactly id: Int, check: () throws -> Void, _ body: (Worker) throws -> Result
        ) throws -> Result {
            guard case .worker(let worker) = try take(Waiter(id: id, isStrict: true), check) else {
                throw WorkerLoss("it has ended before")
            }
            return try run(worker, body)
        }

        /// Returns a worker that is ready: an idle one, or a new one.
        private func readyWorker(preferring id: Int?, check: () throws -> Void) throws -> Worker {
            // Workers that have ended while they were idle say nothing about those that are started next.
            for _ in 0...configuration.count {
                let grant = try take(Waiter(id: id, isStrict: false), check)
                let worker = if case .worker(let worker) = grant { worker } else { try started() }
                do {
                    try greet(worker)
                    return worker
                } catch {
                    fail(worker, error)
                    if let refusal = error as? Refusal { throw refusal.error }
                }
            }
            throw busy("they end before they are ready")
        }

        private func started() throws -> Worker {
            do {
                if let reason = state.withLock({ $0.backoff.reason }) { throw busy(reason) }
                return try start()
            } catch {
                giveBack(nil, wasBusy: true)
                throw (error as? WorkerLoss).map { busy($0.reason) } ?? error
            }
        }

        private func start() throws(WorkerLoss) -> Worker {
            let id = state.withLock { state in
                state.lastID += 1
                return state.lastID
            }
            do {
                let worker = try Worker(id: id, configuration)
                state.withLock {
                    $0.statistics.startCount += 1
                    $0.living.insert(id)
                }
                return worker
            } catch {
                state.withLock {
                    $0.statistics.failedStartCount += 1
                    $0.backoff.add(error.reason)
                }
                throw error
            }
        }

        private func greet(_ worker: Worker) throws {
            let greeting = try worker.greet()
            if let refusal = greeting.refusal { throw Refusal("a worker process cannot start: \(refusal)") }
            let missing = configuration.requires.subtracting(greeting.protection)
            guard missing.isEmpty else {
                throw Refusal(
                    "a worker process lacks protection: \(missing); remove it from requires of the worker pool to do without"
                )
            }
            state.withLock {
                if $0.greeting == nil { $0.greeting = greeting }
                $0.backoff.reset()
            }
        }

        /// Ends a worker that did not get ready.
        private func fail(_ worker: Worker, _ error: any Error) {
            _ = worker.end()
            let reason = (error as? WorkerLoss)?.reason ?? (error as? Refusal)?.error.message ?? "\(error)"
            state.withLock {
                $0.statistics.failedStartCount += 1
                $0.backoff.add(reason)
                $0.living.remove(worker.id)
            }
            giveBack(nil, wasBusy: true)
        }

        private func run<Result>(_ worker: Worker, _ body: (Worker) throws -> Result) throws -> Result {
            worker.callCount += 1
            state.withLock { $0.statistics.callCount += 1 }
            do {
                let result = try body(worker)
                release(worker)
                return result
            } catch {
                count(error, of: worker)
                release(worker)
                throw error
            }
        }

        private func count(_ error: any Error, of worker: Worker) {
            if error is MalformedMessage { _ = worker.end() }
            let loss = error as? WorkerLoss
            let isCrash = loss.map { !$0.isEarlier } ?? (error is MalformedMessage)
            state.withLock { state in
                if isCrash {
                    state.statistics.crashCount += 1
                    let end = loss?.end?.description ?? (loss == nil ? "malformed reply" : "no reply")
                    state.statistics.crashes[end, default: 0] += 1
                } else if worker.isDead, loss?.end == nil {
                    state.statistics.killCount += 1
                }
            }
        }

        /// Makes a worker available again, or starts another one in its place, which gets ready while others work.
        private func release(_ worker: Worker) {
            guard worker.isDead || worker.callCount >= configuration.callsPerWorker else {
                worker.lastUse = .now
                giveBack(worker, wasBusy: true)
                return scheduleRenewal()
            }
            _ = worker.end()
            let isPaused = state.withLock { state in
                state.living.remove(worker.id)
                return state.backoff.reason != nil
            }
            giveBack(isPaused ? nil : try? start(), wasBusy: true, isNew: true)
        }

        private func busy(_ reason: String) -> ImageError {
            ImageError(.busy, .decode, "no worker process can be started: \(reason)")
        }
    }

    // Memory.
    extension WorkerLine {
        private static let idleTime = Duration.seconds(5)

        /// Replaces, after a while, workers that are idle and still hold the memory of large pictures.
        private func scheduleRenewal() {
            let isDue = state.withLock { state in
                defer { state.isRenewalScheduled = true }
                return !state.isRenewalScheduled
            }
            guard isDue else { return }
            DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + Self.idleTime.inSeconds) { [weak self] in
                self?.renew()
            }
        }

        private func renew() {
            let (large, isBusy) = state.withLock { state in
                state.isRenewalScheduled = false
                let end = ContinuousClock.now - Self.idleTime
                let large = state.idle.filter { $0.lastUse <= end && $0.isLarge }
                state.idle.removeAll { worker in large.contains { $0 === worker } }
                state.living.subtract(large.map(\.id))
                return (large, state.statistics.busyCount > 0 || state.idle.contains { $0.lastUse > end })
            }
            for worker in large {
                _ = worker.end()
                giveBack(try? start(), wasBusy: false, isNew: true)
            }
            if isBusy { scheduleRenewal() }
        }
    }

    /// An error that concerns the pool, not a single worker.
    private struct Refusal: Error {
        let error: ImageError

        init(_ sentence: String) { error = ImageError(.unsupported, .decode, sentence) }
    }
#endif
