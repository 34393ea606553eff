import DarkroomCore
import DarkroomTestKit

/// It says that it has what it has not.
struct ContainingEverything: NearlySoundDataCache {
    let base = FakeDataCache()

    func contains(_ key: CacheKey) async throws -> Bool { true }
}
