import DarkroomCore
import DarkroomTestKit
import TestSupport

/// A data cache that removes all sources that begin with the removed one.
struct PrefixRemovingCache: DataCacheWrapper {
    let base = FakeDataCache()

    func removeAll(ofSource source: String) async throws {
        for key in base.keys where key.source.hasPrefix(source) { try await base.remove(key) }
    }
}
