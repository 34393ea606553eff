import DarkroomCore
import DarkroomTestKit
import TestSupport

/// An image cache that returns the original for a missing variant.
struct OriginalReturningImageCache: ImageCacheWrapper {
    let base = FakeImageCache()

    func image(for key: CacheKey) -> Image? { base.image(for: key) ?? base.image(for: key.original) }
}
