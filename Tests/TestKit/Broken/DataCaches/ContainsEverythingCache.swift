import DarkroomCore
import DarkroomTestKit
import TestSupport

/// A data cache that claims to contain every key.
struct ContainsEverythingCache: DataCacheWrapper {
    let base = FakeDataCache()

    func contains(_ key: CacheKey) async throws -> Bool { true }
}
