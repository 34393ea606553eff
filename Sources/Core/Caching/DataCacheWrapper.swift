/// A data cache that wraps another one, to which it forwards the members that it does not implement itself.
///
/// Conform wrappers to this protocol rather than to `DataCache`, so that no member is left unforwarded, including those of
/// later versions. Two are not forwarded, but made of others of the wrapper, which would be bypassed otherwise:
/// ``DataCache/lookUp(_:)`` takes ``DataCache/ticket(forSource:)`` and then reads ``DataCache/entry(for:)``, and
/// ``DataCache/peek(at:)`` reads ``DataCache/entry(for:)``. A wrapper that changes neither may forward them. One that changes
/// ``DataCache/entry(for:)`` also changes ``DataCache/entryInMemory(for:)``, which is forwarded.
public protocol DataCacheWrapper: DataCache {
    /// The type of the wrapped cache.
    associatedtype Base: DataCache

    /// The wrapped cache.
    var base: Base { get }
}

extension DataCacheWrapper {
    /// Returns the entry of the base.
    public func entry(for key: CacheKey) async throws -> DataEntry? { try await base.entry(for: key) }

    /// Returns the entry that the base has in memory.
    public func entryInMemory(for key: CacheKey) -> DataEntry? { base.entryInMemory(for: key) }

    /// Stores the entry in the base.
    public func store(_ entry: DataEntry, for key: CacheKey) async throws { try await base.store(entry, for: key) }

    /// Stores the entry in the base, which may refuse `ticket`.
    public func store(_ entry: DataEntry, for key: CacheKey, with ticket: StoreTicket) async throws {
        try await base.store(entry, for: key, with: ticket)
    }

    /// Returns a ticket of the base.
    public func ticket(forSource source: String) async throws -> StoreTicket {
        try await base.ticket(forSource: source)
    }

    /// Starts the generation of `response` in the base.
    public func startGeneration(of response: SourceResponse, after ticket: StoreTicket?) async throws -> StoreTicket? {
        try await base.startGeneration(of: response, after: ticket)
    }

    /// Replaces the metadata in the base.
    public func update(_ metadata: DataEntry.Metadata, for key: CacheKey) async throws {
        try await base.update(metadata, for: key)
    }

    /// Returns whether the base has the entry.
    public func contains(_ key: CacheKey) async throws -> Bool { try await base.contains(key) }

    /// Removes the entry from the base.
    public func remove(_ key: CacheKey) async throws { try await base.remove(key) }

    /// Removes the original and all variants of `source` from the base.
    public func removeAll(ofSource source: String) async throws { try await base.removeAll(ofSource: source) }

    /// Empties the base.
    public func removeAll() async throws { try await base.removeAll() }

    /// Trims the base.
    public func trim() async throws { try await base.trim() }

    /// Has the base release memory.
    public func respond(to pressure: MemoryPressure) { base.respond(to: pressure) }
}
