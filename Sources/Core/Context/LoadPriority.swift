/// The priority of a load.
///
/// It orders the loads that wait for the same thing. None waits forever: after 15 others in a row, it is the turn of the
/// one that arrived first, whatever its priority. With `n` earlier ones before it, a load gets its turn after
/// `16 * (n + 1)` at the latest, however many more urgent ones keep arriving.
public enum LoadPriority: Int, Hashable, Sendable, CaseIterable {
    /// After all others, for images that may be needed later.
    case low
    /// The default.
    case normal
    /// Before all others.
    case high
}

/// The order among waiters of equal priority. In either, the oldest of all is next after 15 others in a row
/// (``LoadPriority``).
public enum LoadOrder: Hashable, Sendable {
    /// The oldest first.
    case firstInFirstOut
    /// The newest first, such as those just scrolled into view.
    case lastInFirstOut
}

private enum PriorityKey: ImageContextKey {
    static var defaultValue: Urgency { .constant(.normal) }
    // Callers of different priorities share a run, which has the highest priority among them.
    static func effect(of value: Urgency) -> ContextEffect { .nothing }
}

extension ImageContext {
    /// The priority of the load, wherever loads wait for each other: for a transfer, for memory, for a thread, and in a
    /// ``Prefetcher``.
    ///
    /// A transfer that several callers share always has the highest priority among them. A caller that joins may move
    /// it up in its queue, and one that leaves may let it fall back. To change it during the load, use ``urgency``.
    public var priority: LoadPriority {
        get { urgency.priority }
        set { urgency = .constant(newValue) }
    }

    /// The priority of the load, which may be changed while the load is in flight: keep the ``Urgency``, and assign
    /// another ``Urgency/priority``.
    ///
    /// It counts for this caller only. Work shared with other callers does not fall below their priority. All loads
    /// with this context follow it, such as those of a list of a ``Prefetcher``.
    public var urgency: Urgency {
        get { self[PriorityKey.self] }
        set { self[PriorityKey.self] = newValue }
    }
}
