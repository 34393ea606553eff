import DarkroomCore
import DarkroomTestKit
import Synchronization
import TestSupport

/// An image cache that stores nothing more after critical memory pressure.
final class PressureDisabledImageCache: ImageCacheWrapper {
    let base = FakeImageCache()
    private let isDead = Atomic(false)

    func store(_ image: Image, for key: CacheKey) {
        if !isDead.load(ordering: .relaxed) { base.store(image, for: key) }
    }

    func respond(to pressure: MemoryPressure) {
        base.removeAll()
        if pressure == .critical { isDead.store(true, ordering: .relaxed) }
    }
}
