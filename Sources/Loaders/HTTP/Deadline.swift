#if HTTP
    import DarkroomCore
    import NIOCore

    /// A point in time at which a wait fails with an error that names the setting to change.
    struct Deadline: Sendable {
        /// The point in time.
        let instant: NIODeadline

        private let duration: Duration
        private let setting: String
        private let event: String

        /// Creates a deadline `duration` from now; `nil` without a duration. `event` describes what did not happen in
        /// time.
        init?(after duration: Duration?, setting: String, event: String) {
            guard let duration else { return nil }
            instant = .now() + TimeAmount(duration)
            (self.duration, self.setting, self.event) = (duration, setting, event)
        }

        /// The error that the wait fails with.
        var error: ImageError {
            ImageError(
                .timedOut, .load,
                "the origin \(event) within \(duration); allow more with HTTPLoader.Configuration.\(setting)")
        }

        /// Whether the deadline has passed.
        var hasPassed: Bool { instant <= .now() }

        /// Returns the earlier deadline; the other if one is `nil`.
        static func first(of deadline: Deadline?, _ other: Deadline?) -> Deadline? {
            guard let deadline, let other else { return deadline ?? other }
            return other.instant < deadline.instant ? other : deadline
        }

        /// Runs `body`, and cancels it at `deadline`.
        ///
        /// A value that arrives after the deadline is discarded: the resources that `body` used may have been closed.
        static func run<Value: Sendable>(
            until deadline: Deadline?, timer: DeadlineTimer, _ body: @escaping @Sendable () async throws -> Value
        ) async throws -> Value {
            guard let deadline else { return try await body() }
            let cancellation = JobCancellation()
            let call = timer.schedule(at: deadline.instant) { cancellation.cancel() }
            defer { timer.cancel(call) }
            return try await cancellation.run(orThrow: deadline.error, body)
        }
    }
#endif
