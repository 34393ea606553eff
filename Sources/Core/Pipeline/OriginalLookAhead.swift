import Synchronization

/// Finds out whether the shared cache has an original, while a result made from it is looked up there. Otherwise, the
/// request for a new image would wait for two answers in turn.
final class OriginalLookAhead: Sendable {
    /// The question that the request of the current task has asked; `nil` if it has not.
    @TaskLocal static var current: OriginalLookAhead?

    private let key: CacheKey
    private let answer: Task<Bool?, Never>
    private let isUseful = Atomic(true)

    /// Asks for the original of `key`. `contains` returns whether there is one; `nil` if there is no answer in time.
    init(_ key: CacheKey, contains: @escaping @Sendable () async -> Bool?) {
        self.key = key
        answer = Task { await contains() }
    }

    /// Returns whether there was no original of `key` when the question was asked. An answer is used only once: a later
    /// request of the same load asks again.
    func isMissing(_ key: CacheKey) async -> Bool {
        guard key == self.key, isUseful.exchange(false, ordering: .relaxed) else { return false }
        return await answer.value == false
    }

    /// Ends the question, because the answer is not needed, or another node may have stored the original meanwhile.
    func end() {
        isUseful.store(false, ordering: .relaxed)
        answer.cancel()
    }
}
