import DarkroomCore

extension WorkExecutor {
    /// Runs `body`, unless the task that waits for it is cancelled before its turn comes; then it throws that.
    func runWhileAwaited<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
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
