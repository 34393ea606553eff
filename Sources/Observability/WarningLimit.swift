#if Observability
    import DarkroomCore
    import Synchronization

    /// Passes one warning per interval, and counts those that it suppresses.
    final class WarningLimit: Sendable {
        private struct State {
            var bucket: TokenBucket
            var suppressedCount = 0
        }

        private let start = ContinuousClock.now
        private let state: Mutex<State>

        init(interval: Duration) { state = Mutex(State(bucket: TokenBucket(interval: interval))) }

        /// Returns the number of warnings suppressed before this one; `nil` if this one is suppressed, too.
        func pass(at time: ContinuousClock.Instant = .now) -> Int? {
            state.withLock { state in
                guard state.bucket.takeIfAvailable(at: start.duration(to: time)) == nil else {
                    state.suppressedCount += 1
                    return nil
                }
                defer { state.suppressedCount = 0 }
                return state.suppressedCount
            }
        }
    }
#endif
