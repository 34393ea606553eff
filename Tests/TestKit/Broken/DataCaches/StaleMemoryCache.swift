import DarkroomCore
import DarkroomTestKit
import TestSupport

/// A data cache that returns removed and replaced entries from memory.
struct StaleMemoryCache: DataCacheWrapper {
    let base = FakeDataCache()
    private let stored = Recorder<(CacheKey, DataEntry)>()

    func store(_ entry: DataEntry, for key: CacheKey) async throws {
        stored.note((key, entry))
        try await base.store(entry, for: key)
    }

    func entryInMemory(for key: CacheKey) -> DataEntry? { stored.values.first { $0.0 == key }?.1 }
}
