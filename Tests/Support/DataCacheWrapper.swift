package import DarkroomCore

/// A data cache that forwards to `base`, except for the members that a conforming type implements.
package protocol DataCacheWrapper: DataCache {
    /// The type of the wrapped cache.
    associatedtype Base: DataCache

    /// The cache to which calls are forwarded.
    var base: Base { get }
}

extension DataCacheWrapper {
    package func entry(for key: CacheKey) async throws -> DataEntry? { try await base.entry(for: key) }
    package func store(_ entry: DataEntry, for key: CacheKey) async throws { try await base.store(entry, for: key) }
    package func store(_ entry: DataEntry, for key: CacheKey, with ticket: StoreTicket) async throws {
        try await base.store(entry, for: key, with: ticket)
    }
    package func ticket(forSource source: String) async throws -> StoreTicket {
        try await base.ticket(forSource: source)
    }
    package func startGeneration(of response: SourceResponse, after ticket: StoreTicket?) async throws -> StoreTicket? {
        try await base.startGeneration(of: response, after: ticket)
    }
    package func update(_ metadata: DataEntry.Metadata, for key: CacheKey) async throws {
        try await base.update(metadata, for: key)
    }
    package func contains(_ key: CacheKey) async throws -> Bool { try await base.contains(key) }
    package func remove(_ key: CacheKey) async throws { try await base.remove(key) }
    package func removeAll(ofSource source: String) async throws { try await base.removeAll(ofSource: source) }
    package func removeAll() async throws { try await base.removeAll() }
}
