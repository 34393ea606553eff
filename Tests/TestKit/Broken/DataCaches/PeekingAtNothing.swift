import DarkroomCore
import DarkroomTestKit

/// It does not look when nothing may change.
struct PeekingAtNothing: NearlySoundDataCache {
    let base = FakeDataCache()

    func peek(at key: CacheKey) async throws -> DataEntry? { nil }
}
