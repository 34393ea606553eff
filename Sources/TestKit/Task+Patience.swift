import Synchronization

extension Task where Success == Void, Failure == any Error {
    /// Returns the result of the task, or `nil` if it has not finished within `patience`. The task continues in that
    /// case.
    func result(within patience: Duration) async -> Result<Void, any Error>? {
        await withCheckedContinuation { continuation in
            let answer = FirstAnswer(continuation)
            let timer = Task<Void, Never> {
                if (try? await Task<Never, Never>.sleep(for: patience)) != nil { answer.give(nil) }
            }
            _ = Task<Void, Never> {
                answer.give(await self.result)
                timer.cancel()
            }
        }
    }
}

/// Resumes a continuation with the first of two results, and ignores the other.
private final class FirstAnswer: Sendable {
    private let continuation: Mutex<CheckedContinuation<Result<Void, any Error>?, Never>?>

    init(_ continuation: CheckedContinuation<Result<Void, any Error>?, Never>) {
        self.continuation = Mutex(continuation)
    }

    func give(_ answer: Result<Void, any Error>?) {
        continuation.withLock { $0.take() }?.resume(returning: answer)
    }
}
