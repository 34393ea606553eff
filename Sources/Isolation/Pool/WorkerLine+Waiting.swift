#if os(Linux)
    import DarkroomPlatform
    import Dispatch
    import Synchronization

    // Waiting.
    extension WorkerLine {
        /// The answer to a thread that asks for a worker.
        enum Grant {
            case worker(Worker)
            /// The right, and the duty, to start one.
            case vacancy
            /// Nothing, because the only worker that is wanted has ended.
            case nothing
        }

        /// A thread that waits for a worker. All but the semaphore is guarded by the lock of the line.
        final class Waiter: @unchecked Sendable {
            let id: Int?
            let isStrict: Bool
            let semaphore = DispatchSemaphore(value: 0)
            var grant: Grant?

            init(id: Int?, isStrict: Bool) { (self.id, self.isStrict) = (id, isStrict) }
        }

        /// Waits until `waiter` gets what it wants.
        func take(_ waiter: Waiter, _ check: () throws -> Void) throws -> Grant {
            let grant = state.withLock { state in
                let grant = state.grant(waiter)
                if grant == nil { state.waiters.append(waiter) }
                return grant
            }
            if let grant { return grant }
            while waiter.semaphore.wait(timeout: .now() + .milliseconds(20)) == .timedOut {
                do { try check() } catch {
                    leave(waiter)
                    throw error
                }
            }
            return state.withLock { _ in waiter.grant ?? .nothing }
        }

        /// Ends the waiting. What was granted meanwhile goes to the next.
        private func leave(_ waiter: Waiter) {
            let grant = state.withLock { state in
                state.waiters.removeAll { $0 === waiter }
                return waiter.grant
            }
            switch grant {
            case .worker(let worker): giveBack(worker, wasBusy: true)
            case .vacancy: giveBack(nil, wasBusy: true)
            case .nothing, nil: break
            }
        }

        /// Makes `worker`, or the right to start one, available to those that wait.
        func giveBack(_ worker: Worker?, wasBusy: Bool, isNew: Bool = false) {
            state.withLock { state in
                if wasBusy { state.statistics.busyCount -= 1 }
                if let worker {
                    // A new one is taken last, because it has to get ready.
                    state.idle.insert(worker, at: isNew ? 0 : state.idle.count)
                } else {
                    state.missingCount += 1
                }
                state.waiters = state.waiters.filter { waiter in
                    guard let grant = state.grant(waiter) else { return true }
                    waiter.grant = grant
                    waiter.semaphore.signal()
                    return false
                }
            }
        }
    }

    extension WorkerLine.State {
        /// Takes what `waiter` wants, if it is there.
        mutating func grant(_ waiter: WorkerLine.Waiter) -> WorkerLine.Grant? {
            if waiter.isStrict {
                guard let id = waiter.id, living.contains(id) else { return .nothing }
                guard let index = idle.firstIndex(where: { $0.id == id }) else { return nil }
                statistics.busyCount += 1
                return .worker(idle.remove(at: index))
            }
            if let index = idle.lastIndex(where: { $0.id == waiter.id }) ?? idle.indices.last {
                statistics.busyCount += 1
                return .worker(idle.remove(at: index))
            }
            guard missingCount > 0 else { return nil }
            statistics.busyCount += 1
            missingCount -= 1
            return .vacancy
        }
    }
#endif
