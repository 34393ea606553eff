/// A store in the shared cache that is under way.
final class SharedStore: Sendable {
    private let outcome = FirstValue<Bool>()

    /// Ends the store. `isStored` is whether the other nodes can read the entry now.
    func end(isStored: Bool) { outcome.offer(isStored) }

    /// Waits for the end of the store, and returns whether the other nodes can read the entry. Called once.
    func isStored() async -> Bool { await outcome.value ?? false }
}
