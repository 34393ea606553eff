import DarkroomCore
import DarkroomTestKit

/// What it has once, it keeps.
struct NeverRemoving: NearlySoundImageCache {
    let base = FakeImageCache()

    func remove(_ key: CacheKey) {}
}
