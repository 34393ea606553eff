import DarkroomCore
import DarkroomTestKit
import TestSupport

/// A data cache that stores the bytes and the date only.
struct MetadataLosingCache: DataCacheWrapper {
    let base = FakeDataCache()

    func store(_ entry: DataEntry, for key: CacheKey) async throws {
        try await base.store(DataEntry(entry.data, metadata: .init(storedAt: entry.metadata.storedAt)), for: key)
    }
}
