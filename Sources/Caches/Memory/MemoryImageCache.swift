public import DarkroomCore
import Synchronization

/// Keeps decoded images in memory until they cost more than its limits allow; those not used for the longest time go first.
///
/// Every call takes constant time, whatever it holds. An image that costs more than the whole limit is not kept.
public final class MemoryImageCache: ImageCache {
    /// A quarter of the memory this process may use, and at most 512 MiB.
    public static let defaultByteLimit = min(SystemMemory().byteCount / 4, 512 << 20)

    private let state: Mutex<MemoryImageCacheState>

    /// A cache of these limits; `nil` for any number of images.
    public init(byteLimit: Int = defaultByteLimit, countLimit: Int? = nil) {
        state = Mutex(MemoryImageCacheState(byteLimit: byteLimit, countLimit: countLimit))
    }

    /// How much all images may cost together; a lower one holds at once.
    public var byteLimit: Int {
        get { state.withLock { $0.byteLimit } }
        set {
            change {
                $0.byteLimit = newValue
                return $0.removeExcess()
            }
        }
    }

    /// How many images there may be, `nil` for any number; a lower one holds at once.
    public var countLimit: Int? {
        get { state.withLock { $0.countLimit } }
        set {
            change {
                $0.countLimit = newValue
                return $0.removeExcess()
            }
        }
    }

    /// What all images cost together: see `Image.memoryCost`.
    public var totalCost: Int { state.withLock { $0.totalCost } }

    /// How many images there are.
    public var count: Int { state.withLock { $0.count } }

    /// The image of `key`, which is used by that; `nil` for a miss.
    public func image(for key: CacheKey) -> Image? { state.withLock { $0.use(key) } }

    /// Keeps `image`, unless it costs more than the limit, in place of what was there.
    public func store(_ image: Image, for key: CacheKey) { change { $0.store(image, for: key) } }

    /// Whether there is an image of `key`; that counts as no use of it.
    public func contains(_ key: CacheKey) -> Bool { state.withLock { $0.contains(key) } }

    /// Removes the image of `key`.
    public func remove(_ key: CacheKey) { change { $0.remove(key) } }

    /// Removes the original and all variants of `source`, without looking at others.
    public func removeAll(ofSource source: String) { change { $0.removeAll(ofSource: source) } }

    /// Removes everything.
    public func removeAll() { change { $0.removeAll() } }

    /// Runs `body`. The images it answers are freed after the lock is: giving back much memory takes long.
    private func change(_ body: (inout MemoryImageCacheState) -> [Image]) {
        let removed = state.withLock { body(&$0) }
        withExtendedLifetime(removed) {}
    }
}
