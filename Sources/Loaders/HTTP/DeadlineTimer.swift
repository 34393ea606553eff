#if HTTP
    import AsyncHTTPClient
    import NIOCore
    import Synchronization

    /// Calls closures at deadlines, which are rarely reached: those of a loader's transfers.
    ///
    /// A waiter sets a deadline and usually cancels it a moment later. A timer for each would wake a thread twice every
    /// time; here one timer serves the earliest deadline, and mostly fires with nothing to do.
    final class DeadlineTimer: Sendable {
        private struct Call {
            let time: NIODeadline
            let body: @Sendable () -> Void
        }

        private struct State {
            var calls: [UInt64: Call] = [:]
            var lastID: UInt64 = 0
            /// When the current timer fires. Timers scheduled earlier for another time are ignored.
            var next: NIODeadline?
        }

        private let state = Mutex(State())

        /// Calls `body` at `time`, on a thread that must not be blocked, unless the returned identifier is cancelled
        /// before.
        func schedule(at time: NIODeadline, _ body: @escaping @Sendable () -> Void) -> UInt64 {
            let (id, isEarliest) = state.withLock { state in
                state.lastID += 1
                state.calls[state.lastID] = Call(time: time, body: body)
                guard state.next.map({ time < $0 }) ?? true else { return (state.lastID, false) }
                state.next = time
                return (state.lastID, true)
            }
            if isEarliest { startTimer(time) }
            return id
        }

        /// Cancels a call that has not been made yet.
        func cancel(_ id: UInt64) { _ = state.withLock { $0.calls.removeValue(forKey: id) } }

        private func startTimer(_ time: NIODeadline) {
            HTTPClient.defaultEventLoopGroup.any().scheduleTask(deadline: time) { [weak self] in self?.fire(time) }
        }

        private func fire(_ time: NIODeadline) {
            let (due, next) = state.withLock { state -> ([Call], NIODeadline?) in
                guard state.next == time else { return ([], nil) }
                let due = state.calls.filter { $0.value.time <= time }
                for id in due.keys { state.calls[id] = nil }
                state.next = state.calls.values.map(\.time).min()
                return (Array(due.values), state.next)
            }
            for call in due { call.body() }
            if let next { startTimer(next) }
        }
    }
#endif
