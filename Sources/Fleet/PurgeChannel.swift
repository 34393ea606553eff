/// A channel on which the nodes of a fleet tell each other what an app has removed.
///
/// Messages are hints and may get lost: a node that misses one serves its entries until they expire.
public protocol PurgeChannel: Sendable {
    /// Tells all nodes, this one included, of `purge`.
    ///
    /// - Throws: An error if the engine is out of reach. It ends by itself when `deadline` has passed.
    func publish(_ purge: Purge, deadline: Duration) async throws

    /// Returns the purges of all nodes from now on. The stream goes on after the engine was away, and ends when the
    /// task that reads it is cancelled.
    func purges() -> AsyncStream<Purge>
}

/// What an app has removed.
public enum Purge: Hashable, Sendable {
    /// The original and all results of a source, as in `CacheKey.source`.
    case source(String)
    /// Everything.
    case all
}
