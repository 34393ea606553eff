import DarkroomCore
import DarkroomTestKit
import TestSupport

/// A data cache that returns nothing from `peek`.
struct EmptyPeekCache: DataCacheWrapper {
    let base = FakeDataCache()

    func peek(at key: CacheKey) async throws -> DataEntry? { nil }
}
