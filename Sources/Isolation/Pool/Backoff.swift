#if os(Linux)
    /// The time to wait after several starts in a row have failed.
    struct Backoff {
        private var failureCount = 0
        private var end = ContinuousClock.now
        private var lastReason = ""

        private static let freeFailureCount = 3

        /// Why no worker may be started now; `nil` if one may.
        var reason: String? {
            failureCount >= Self.freeFailureCount && ContinuousClock.now < end ? lastReason : nil
        }

        mutating func add(_ reason: String) {
            failureCount += 1
            lastReason = reason
            let doublings = min(6, max(0, failureCount - Self.freeFailureCount))
            end = .now + min(.seconds(5), .milliseconds(100 << doublings))
        }

        mutating func reset() { failureCount = 0 }
    }
#endif
