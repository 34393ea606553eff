extension WorkExecutor {
    /// Runs `body` like ``run(_:)``, with a flag that is set when the task is cancelled. If that happens before `body`
    /// has started, it is not run. If there is a `watch`, it may give up `body`.
    ///
    /// - Throws: An `ImageError` of kind `cancelled`, a ``HangWatch/Hang``, or the error of `body`.
    package func runUnlessCancelled<Result: Sendable>(
        watchedBy watch: HangWatch? = nil, _ body: @escaping @Sendable (CancellationFlag) throws -> Result
    ) async throws -> Result {
        let cancellation = CancellationFlag()
        return try await withTaskCancellationHandler {
            try cancellation.check()
            let work = { @Sendable in
                try cancellation.check()
                return try body(cancellation)
            }
            guard let watch else { return try await run(work) }
            return try await run(watchedBy: watch, work)
        } onCancel: {
            cancellation.set()
        }
    }
}
