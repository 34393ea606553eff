import DarkroomCore
import Synchronization

/// An image in a `MemoryImageCache`.
///
/// Sendable despite its mutable properties: `place` and `isMain` are accessed only under the lock of the cache's state.
final class MemoryEntry: @unchecked Sendable {
    let key: CacheKey
    let image: Image
    /// The cost counted against the limit of the cache. The actual size is `image.heldByteCount`.
    let cost: Int
    private let atomicUsage = Atomic<Int>(0)
    /// The place in the eviction order.
    var place = 0
    /// Whether the eviction order has it in the main queue.
    var isMain = false

    /// The use of the entry as the eviction order defines it: a time or a count. Hits set it without a common lock.
    var usage: Int {
        get { atomicUsage.load(ordering: .relaxed) }
        set { atomicUsage.store(newValue, ordering: .relaxed) }
    }

    init(_ image: Image, for key: CacheKey) {
        self.key = key
        self.image = image
        cost = max(0, image.memoryCost)
    }
}
