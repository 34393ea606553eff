import DarkroomCore

/// A data cache that forwards to `base`, except for the defect that a conforming type adds.
protocol DataCacheWrapper: DataCache {
    associatedtype Base: DataCache
    var base: Base { get }
}

extension DataCacheWrapper {
    func entry(for key: CacheKey) async throws -> DataEntry? { try await base.entry(for: key) }
    func store(_ entry: DataEntry, for key: CacheKey) async throws { try await base.store(entry, for: key) }
    func update(_ metadata: DataEntry.Metadata, for key: CacheKey) async throws {
        try await base.update(metadata, for: key)
    }
    func contains(_ key: CacheKey) async throws -> Bool { try await base.contains(key) }
    func remove(_ key: CacheKey) async throws { try await base.remove(key) }
    func removeAll(ofSource source: String) async throws { try await base.removeAll(ofSource: source) }
    func removeAll() async throws { try await base.removeAll() }
}
