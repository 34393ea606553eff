import DarkroomCore
import DarkroomTestKit

/// It keeps pixels only.
struct LosingImageMetadata: NearlySoundImageCache {
    let base = FakeImageCache()

    func store(_ image: Image, for key: CacheKey) {
        base.store(Image(info: image.info, bitmap: image.bitmap), for: key)
    }
}
