import DarkroomCore
import Synchronization

/// An image in a `MemoryImageCache`.
///
/// Sendable although parts of it change: `place` and `isMain` are only touched under the lock of the cache's state.
final class MemoryEntry: @unchecked Sendable {
    let key: CacheKey
    let image: Image
    /// What it counts against the cache's limit; what it really takes is `image.heldByteCount`.
    let cost: Int
    private let atomicMark = Atomic<Int>(0)
    /// Where the order of eviction keeps it.
    var place = 0
    /// Whether the order of eviction counts it among those that are used again.
    var isMain = false

    /// How it was used, as the order of eviction has it: when, or how often. Hits set it, which hold no common lock.
    var mark: Int {
        get { atomicMark.load(ordering: .relaxed) }
        set { atomicMark.store(newValue, ordering: .relaxed) }
    }

    init(_ image: Image, for key: CacheKey) {
        self.key = key
        self.image = image
        cost = max(0, image.memoryCost)
    }
}
