extension WorkExecutor {
    /// Runs `body` like ``run(_:)``, but returns early if `watch` gives it up: when it, or another of its calls, has run for
    /// too long. It may run for `patience` times the limit of `watch`, and again after each `progress`.
    ///
    /// - Throws: The error of `body`, or a ``HangWatch/Hang``. In that case, `body` may still be running.
    package func run<Success: Sendable>(
        watchedBy watch: HangWatch, patience: Int = 1, progress: HangWatch.Progress? = nil,
        _ body: @escaping @Sendable () throws -> Success
    ) async throws -> Success {
        let call = ExecutorCall(body)
        try watch.add(call, patience: patience, progress: progress)
        enqueue {
            guard watch.begin(call) else { return }
            call.run()
            watch.end(call)
        }
        return try await call.outcome()
    }
}
