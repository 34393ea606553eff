import DarkroomCore
import DarkroomTestKit
import TestSupport

/// An image cache that stores the pixels only.
struct MetadataLosingImageCache: ImageCacheWrapper {
    let base = FakeImageCache()

    func store(_ image: Image, for key: CacheKey) {
        base.store(Image(info: image.info, bitmap: image.bitmap), for: key)
    }
}
