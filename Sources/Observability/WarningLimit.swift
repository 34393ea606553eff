#if Observability
    import Synchronization

    /// Admits one event in each interval, and counts the suppressed ones.
    final class RateLimit: Sendable {
        private struct State {
            var next: ContinuousClock.Instant?
            var heldBackCount = 0
        }

        private let interval: Duration
        private let state = Mutex(State())

        init(interval: Duration) { self.interval = interval }

        /// Returns the number of events suppressed since the last admitted one; `nil` if this one is suppressed, too.
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
