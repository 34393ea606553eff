import DarkroomCore
import DarkroomTestKit
import Synchronization

/// After a pressure it keeps nothing any more.
final class DyingOfPressure: NearlySoundImageCache {
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
