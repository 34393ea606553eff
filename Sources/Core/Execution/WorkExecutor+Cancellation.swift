extension WorkExecutor {
    /// Runs `body` like ``run(_:)``, with a flag that is set when the task is cancelled. If that happens before `body`
    /// has started, it is not run.
    ///
    /// - Throws: An `ImageError` of kind `cancelled`, or the error of `body`.
    package func runUnlessCancelled<Result: Sendable>(
        _ body: @escaping @Sendable (CancellationFlag) throws -> Result
    ) async throws -> Result {
        let cancellation = CancellationFlag()
        return try await withTaskCancellationHandler {
            try cancellation.check()
            return try await run {
                try cancellation.check()
                return try body(cancellation)
            }
        } onCancel: {
            cancellation.set()
        }
    }
}
