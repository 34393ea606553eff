/// The priority of a load.
public enum LoadPriority: Int, Hashable, Sendable, CaseIterable {
    /// After all others, for images that may be needed later.
    case low
    /// The default.
    case normal
    /// Before all others.
    case high
}

/// The order among waiters of equal priority.
public enum LoadOrder: Hashable, Sendable {
    /// The oldest first.
    case firstInFirstOut
    /// The newest first, such as those just scrolled into view.
    case lastInFirstOut
}

private enum PriorityKey: ImageContextKey {
    static var defaultValue: LoadPriority { .normal }
    // Callers of different priorities share a run, which has the highest priority among them.
    static func cacheKeyFragment(for value: LoadPriority) -> String? { nil }
}

extension ImageContext {
    /// The priority of the load, where transfers wait for each other.
    ///
    /// A transfer that several callers share always has the highest priority among them. A caller that joins may move
    /// it up in its queue, and one that leaves may let it fall back.
    public var priority: LoadPriority {
        get { self[PriorityKey.self] }
        set { self[PriorityKey.self] = newValue }
    }
}
