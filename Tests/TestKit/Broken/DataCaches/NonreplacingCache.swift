import DarkroomCore
import DarkroomTestKit
import TestSupport

/// A data cache that keeps the first entry of a key for good.
struct NonreplacingCache: DataCacheWrapper {
    let base = FakeDataCache()

    func store(_ entry: DataEntry, for key: CacheKey) async throws {
        if try await !base.contains(key) { try await base.store(entry, for: key) }
    }
}
