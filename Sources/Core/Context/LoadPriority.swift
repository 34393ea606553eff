/// How urgent a load is.
public enum LoadPriority: Int, Hashable, Sendable, CaseIterable {
    /// After all others, as for pictures that may be wanted later.
    case low
    /// Unless something else was said.
    case normal
    /// Before all others.
    case high
}

/// Which of those that wait with one priority comes first.
public enum LoadOrder: Hashable, Sendable {
    /// The one that came first.
    case firstInFirstOut
    /// The one that came last: what was scrolled into view just now.
    case lastInFirstOut
}

private enum PriorityKey: ImageContextKey {
    static var defaultValue: LoadPriority { .normal }
    // Callers of different priority share a run, which is as urgent as the most urgent of them.
    static func cacheKeyFragment(for value: LoadPriority) -> String? { nil }
}

extension ImageContext {
    /// How urgent the load is, where transfers wait for each other.
    ///
    /// A transfer that several callers share is at any moment as urgent as the most urgent of them: who joins may move it
    /// up in its queue, and who leaves may let it fall back.
    public var priority: LoadPriority {
        get { self[PriorityKey.self] }
        set { self[PriorityKey.self] = newValue }
    }
}
