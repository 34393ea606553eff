#if S3
    import AsyncHTTPClient
    import DarkroomCore
    import DarkroomHTTPGuard

    extension S3Client {
        /// Returns what `receive` makes of the response to `request`. Requests that fail for reasons that may pass are
        /// sent again, and all ends after `deadline`.
        ///
        /// - Throws: An `ImageError`.
        func perform<Value: Sendable>(
            _ request: S3Request, deadline: Duration,
            receive: @escaping @Sendable (S3Response) async throws -> Value
        ) async throws(ImageError) -> Value {
            try await within(deadline) { try await self.retrying(request, receive: receive) }
        }

        /// Runs `body`, and ends it after `deadline`, which `setting` determines.
        ///
        /// - Throws: An `ImageError`.
        func within<Value: Sendable>(
            _ deadline: Duration, setting: String? = nil, _ body: @escaping @Sendable () async throws -> Value
        ) async throws(ImageError) -> Value {
            let hint = setting.map { "; allow more with \($0)" } ?? ""
            let timeout = ImageError(
                .timedOut, stage,
                "the engine at \(configuration.hostName) did not respond within \(deadline)\(hint)")
            do {
                return try await RequestDeadline.run(within: deadline, orThrow: timeout, body)
            } catch {
                throw ImageError(transport: error, of: self)
            }
        }

        /// Sends `request` until the response is final.
        func retrying<Value: Sendable>(
            _ request: S3Request, receive: @Sendable (S3Response) async throws -> Value
        ) async throws -> Value {
            for attempt in 0..<max(0, configuration.retryLimit) {
                do {
                    let response = try await response(to: request)
                    if !response.isTransientFailure { return try await receive(response) }
                } catch {
                    guard error.isTransient else { throw error }
                }
                try await Task.sleep(for: Self.backoff(attempt))
            }
            return try await receive(try await response(to: request))
        }

        /// Returns the pause after an attempt. It is random, so that clients that failed together do not return together.
        private static func backoff(_ attempt: Int) -> Duration {
            .milliseconds(50 << min(attempt, 6)) * Double.random(in: 0.5...1)
        }
    }

    extension Error {
        /// Whether a request that failed with this error may succeed when it is sent again.
        fileprivate var isTransient: Bool {
            switch self {
            case is ImageError, is CancellationError: false
            case let error as HTTPClientError:
                ![.cancelled, .alreadyShutdown, .invalidURL, .deadlineExceeded].contains(error)
            default: !isTrustFailure
            }
        }
    }
#endif
