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
    // Who joins a load under way takes it as it is.
    static func cacheKeyFragment(for value: LoadPriority) -> String? { nil }
}

extension ImageContext {
    /// How urgent the load is, where transfers wait for each other. Of callers that share a transfer, the first one decides.
    public var priority: LoadPriority {
        get { self[PriorityKey.self] }
        set { self[PriorityKey.self] = newValue }
    }
}
