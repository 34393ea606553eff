import DarkroomCore
import DarkroomTestKit

/// It keeps bytes, and the date only.
struct LosingMetadata: NearlySoundDataCache {
    let base = FakeDataCache()

    func store(_ entry: DataEntry, for key: CacheKey) async throws {
        try await base.store(DataEntry(entry.data, metadata: .init(storedAt: entry.metadata.storedAt)), for: key)
    }
}
