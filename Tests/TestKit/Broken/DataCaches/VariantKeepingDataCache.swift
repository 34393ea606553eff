import DarkroomCore
import DarkroomTestKit
import TestSupport

/// A data cache that keeps the variants of a removed source.
struct VariantKeepingDataCache: DataCacheWrapper {
    let base = FakeDataCache()

    func removeAll(ofSource source: String) async throws { try await base.remove(CacheKey(source: source)) }
}
