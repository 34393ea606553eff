#if HTTP
    import AsyncHTTPClient
    import NIOCore
    import Synchronization

    /// Calls back at points in time that seldom come: the deadlines of a loader's transfers.
    ///
    /// Whoever waits sets one, and takes it back a moment later. With a timer each, that would wake a thread twice; here
    /// is one timer for the earliest, which mostly rings in vain.
    final class Alarm: Sendable {
        private struct Call {
            let time: NIODeadline
            let body: @Sendable () -> Void
        }

        private struct State {
            var calls: [UInt64: Call] = [:]
            var lastID: UInt64 = 0
            /// When the timer rings; others that were set before are of no use any more.
            var next: NIODeadline?
        }

        private let state = Mutex(State())

        /// Calls `body` at `time`, on a thread that must not be held up, unless the answer is taken back before.
        func set(_ time: NIODeadline, _ body: @escaping @Sendable () -> Void) -> UInt64 {
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

        /// Takes back what has not been called.
        func takeBack(_ id: UInt64) { _ = state.withLock { $0.calls.removeValue(forKey: id) } }

        private func startTimer(_ time: NIODeadline) {
            HTTPClient.defaultEventLoopGroup.any().scheduleTask(deadline: time) { [weak self] in self?.ring(time) }
        }

        private func ring(_ time: NIODeadline) {
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
