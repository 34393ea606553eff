import DarkroomCore
import DarkroomTestKit
import TestSupport

/// A data cache that updates the metadata of entries of other versions.
struct VersionIgnoringCache: DataCacheWrapper {
    let base = FakeDataCache()

    func update(_ metadata: DataEntry.Metadata, for key: CacheKey) async throws {
        guard let data = try await base.entry(for: key)?.data else { return }
        try await base.store(DataEntry(data, metadata: metadata), for: key)
    }
}
