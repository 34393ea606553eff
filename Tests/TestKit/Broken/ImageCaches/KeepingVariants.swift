import DarkroomCore
import DarkroomTestKit

/// It forgets the variants of what it removes.
struct KeepingVariants: NearlySoundImageCache {
    let base = FakeImageCache()

    func removeAll(ofSource source: String) { base.remove(CacheKey(source: source)) }
}
