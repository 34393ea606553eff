extension WorkExecutor {
    /// Runs `body` like ``run(_:)``, with a flag that is set when the task is cancelled. If that happens before `body`
    /// has started, it is not run. `watch` may give up `body`, unless that makes `progress`.
    ///
    /// - Throws: An `ImageError` of kind `cancelled`, a ``HangWatch/Hang``, or the error of `body`.
    package func runUnlessCancelled<Result: Sendable>(
        watchedBy watch: HangWatch, progress: HangWatch.Progress? = nil,
        _ body: @escaping @Sendable (CancellationFlag) throws -> Result
    ) async throws -> Result {
        let cancellation = CancellationFlag()
        return try await withTaskCancellationHandler {
            try cancellation.check()
            return try await run(watchedBy: watch, progress: progress) {
                try cancellation.check()
                return try body(cancellation)
            }
        } onCancel: {
            cancellation.set()
        }
    }
}
