import DarkroomCore
import DarkroomTestKit

/// It forgets the variants of what it removes.
struct RemovingTooLittle: NearlySoundDataCache {
    let base = FakeDataCache()

    func removeAll(ofSource source: String) async throws { try await base.remove(CacheKey(source: source)) }
}
