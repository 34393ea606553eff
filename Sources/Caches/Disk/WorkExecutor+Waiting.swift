import DarkroomCore

extension WorkExecutor {
    /// Runs `body`, unless the calling task is cancelled before it starts, in which case it throws the cancellation.
    func runUnlessCancelled<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
        let cancellation = CancellationFlag()
        return try await withTaskCancellationHandler {
            try cancellation.check()
            return try await run {
                try cancellation.check()
                return try body()
            }
        } onCancel: {
            cancellation.set()
        }
    }
}
