import Synchronization

extension Task where Success == Void, Failure == any Error {
    /// How the task ends; `nil` when it has not after `patience`. Then it goes on, for nothing can end it.
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

/// Gives the first of two answers, and forgets the other.
private final class FirstAnswer: Sendable {
    private let continuation: Mutex<CheckedContinuation<Result<Void, any Error>?, Never>?>

    init(_ continuation: CheckedContinuation<Result<Void, any Error>?, Never>) {
        self.continuation = Mutex(continuation)
    }

    func give(_ answer: Result<Void, any Error>?) {
        continuation.withLock { $0.take() }?.resume(returning: answer)
    }
}
