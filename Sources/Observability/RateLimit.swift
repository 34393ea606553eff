#if Observability
    import Synchronization

    /// Lets something through once an interval, and counts what it holds back.
    final class RateLimit: Sendable {
        private struct State {
            var next: ContinuousClock.Instant?
            var heldBackCount = 0
        }

        private let interval: Duration
        private let state = Mutex(State())

        init(interval: Duration) { self.interval = interval }

        /// How many were held back before this one; `nil` when it is held back, too.
        func pass(at now: ContinuousClock.Instant = .now) -> Int? {
            state.withLock { state in
                if let next = state.next, now < next {
                    state.heldBackCount += 1
                    return nil
                }
                state.next = now + interval
                defer { state.heldBackCount = 0 }
                return state.heldBackCount
            }
        }
    }
#endif
