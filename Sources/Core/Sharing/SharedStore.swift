/// A store in the shared cache that is under way.
final class SharedStore: Sendable {
    private let outcome = FirstValue<Bool>()
    private let storedCount: @Sendable () -> Int

    /// The number of times that a store may take as long again because others have ended.
    private static let extensionLimit = 5

    /// Creates a store. `storedCount` returns the number of all stores so far that have ended with success.
    init(storedCount: @escaping @Sendable () -> Int = { 0 }) { self.storedCount = storedCount }

    /// Ends the store. `isStored` is whether the other nodes can read the entry now.
    func end(isStored: Bool) { outcome.offer(isStored) }

    /// Waits until the store ends, or none has ended for `patience`: then the cache hangs, rather than being slow. Returns
    /// whether the other nodes can read the entry. Called once.
    func isStored(patience: Duration, clock: any Clock<Duration>) async -> Bool {
        let watch = Task {
            for _ in 0...Self.extensionLimit {
                let count = storedCount()
                guard (try? await clock.sleep(for: patience)) != nil else { return }
                if storedCount() == count { break }
            }
            outcome.offer(false)
        }
        defer { watch.cancel() }
        return await outcome.value ?? false
    }
}
