import DarkroomCore
import DarkroomTestKit
import FoundationEssentials
import TestSupport

/// A data cache that returns only the entries that the same object has stored.
struct NonpersistentCache: DataCacheWrapper {
    let base: FolderCache
    private let known = FakeDataCache()

    init(_ folder: URL) { base = FolderCache(folder) }

    func store(_ entry: DataEntry, for key: CacheKey) async throws {
        try await known.store(entry, for: key)
        try base.store(entry, for: key)
    }

    func entry(for key: CacheKey) async throws -> DataEntry? {
        try await known.contains(key) ? try base.entry(for: key) : nil
    }

    func contains(_ key: CacheKey) async throws -> Bool { try await known.contains(key) }
}
