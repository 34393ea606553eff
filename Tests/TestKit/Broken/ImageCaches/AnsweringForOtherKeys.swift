import DarkroomCore
import DarkroomTestKit

/// Where it has no variant, the original has to do.
struct AnsweringForOtherKeys: NearlySoundImageCache {
    let base = FakeImageCache()

    func image(for key: CacheKey) -> Image? { base.image(for: key) ?? base.image(for: key.original) }
}
