import Synchronization

extension Task where Success == Void, Failure == any Error {
    /// Returns the result of the task, or `nil` if it has not finished within `timeout`. The task continues in that
    /// case.
    func result(within timeout: Duration) async -> Result<Void, any Error>? {
        await withCheckedContinuation { continuation in
            let first = FirstResult(continuation)
            let timer = Task<Void, Never> {
                if (try? await Task<Never, Never>.sleep(for: timeout)) != nil { first.resume(returning: nil) }
            }
            _ = Task<Void, Never> {
                first.resume(returning: await self.result)
                timer.cancel()
            }
        }
    }
}

/// Resumes a continuation with the first of two results, and ignores the other.
private final class FirstResult: Sendable {
    private let continuation: Mutex<CheckedContinuation<Result<Void, any Error>?, Never>?>

    init(_ continuation: CheckedContinuation<Result<Void, any Error>?, Never>) {
        self.continuation = Mutex(continuation)
    }

    func resume(returning result: Result<Void, any Error>?) {
        continuation.withLock { $0.take() }?.resume(returning: result)
    }
}
