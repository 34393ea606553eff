/// A store in the shared cache that is under way.
struct SharedStore: Sendable {
    private let task: Task<Bool, Never>

    /// Creates a store that `task` performs. It returns whether the entry is in the cache then.
    init(_ task: Task<Bool, Never>) { self.task = task }

    /// Waits for the end of the store, and returns whether the other nodes can read the entry now.
    func isStored() async -> Bool { await task.value }
}
