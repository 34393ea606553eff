#if S3
    import DarkroomCore

    /// Limits the time of requests.
    enum RequestDeadline {
        /// The longest time that is measured.
        private static let limit = Duration.seconds(365 * 86_400)

        /// Runs `body`, and cancels it after `duration`; `nil` for no limit. Then it throws `error`, whatever `body`
        /// throws.
        static func run<Value: Sendable>(
            within duration: Duration?, orThrow error: ImageError, _ body: @escaping @Sendable () async throws -> Value
        ) async throws -> Value {
            guard let duration else { return try await body() }
            guard duration > .zero else { throw error }
            let cancellation = JobCancellation()
            let timer = Task {
                if (try? await Task.sleep(for: min(duration, limit))) != nil { cancellation.cancel() }
            }
            defer { timer.cancel() }
            return try await cancellation.run(orThrow: error, body)
        }
    }
#endif
