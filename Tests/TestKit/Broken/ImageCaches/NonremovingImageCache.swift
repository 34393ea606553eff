import DarkroomCore
import DarkroomTestKit
import TestSupport

/// An image cache that ignores the removal of a key.
struct NonremovingImageCache: ImageCacheWrapper {
    let base = FakeImageCache()

    func remove(_ key: CacheKey) {}
}
