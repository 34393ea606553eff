/// A channel on which the nodes of a fleet announce what an app has removed.
///
/// Messages are hints and may get lost: a node that misses one serves its entries until they expire.
public protocol PurgeChannel: Sendable {
    /// Announces `purge` to all nodes, including this one.
    ///
    /// - Throws: An error if the engine is unreachable, at the latest when `deadline` has passed.
    func publish(_ purge: Purge, deadline: Duration) async throws

    /// Returns the purges of all nodes from now on. The stream survives outages of the engine, and ends when the task
    /// that reads it is cancelled.
    func purges() -> AsyncStream<Purge>
}

/// A removal by an app.
public enum Purge: Hashable, Sendable {
    /// The original and all results of a source, as in `CacheKey.source`.
    case source(String)
    /// All originals and results.
    case all
}
