import DarkroomCore
import DarkroomTestKit
import FoundationEssentials
import TestSupport

/// A data cache that creates an empty entry when the metadata of a missing one is updated.
struct UpsertingCache: DataCacheWrapper {
    let base = FakeDataCache()

    func update(_ metadata: DataEntry.Metadata, for key: CacheKey) async throws {
        try await base.store(DataEntry(base.entry(for: key)?.data ?? Data(), metadata: metadata), for: key)
    }
}
