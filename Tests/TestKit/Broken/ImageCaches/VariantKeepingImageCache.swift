import DarkroomCore
import DarkroomTestKit
import TestSupport

/// An image cache that keeps the variants of a removed source.
struct VariantKeepingImageCache: ImageCacheWrapper {
    let base = FakeImageCache()

    func removeAll(ofSource source: String) { base.remove(CacheKey(source: source)) }
}
