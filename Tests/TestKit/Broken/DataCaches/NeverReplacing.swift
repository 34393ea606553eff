import DarkroomCore
import DarkroomTestKit

/// What it has once, it keeps.
struct NeverReplacing: NearlySoundDataCache {
    let base = FakeDataCache()

    func store(_ entry: DataEntry, for key: CacheKey) async throws {
        if try await !base.contains(key) { try await base.store(entry, for: key) }
    }
}
