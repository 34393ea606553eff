public import DarkroomCore
import Synchronization

/// Keeps decoded images in memory until they cost more than its limits allow; its policy says which go first.
///
/// A hit takes constant time, whatever it holds, and waits for no other but by chance; so does a store on the average. An
/// image that costs more than the whole limit is not kept.
public final class MemoryImageCache: ImageCache {
    /// A quarter of the memory this process may use, and at most 512 MiB.
    public static let defaultByteLimit = min(SystemMemory().byteCount / 4, 512 << 20)

    /// Which images go first.
    public let policy: Policy

    /// Read by hits. Whoever changes it holds the lock of the state.
    private let table: EntryTable
    private let state: Mutex<MemoryImageCacheState>
    private let clock = Atomic<Int>(0)
    private let isWeak: Atomic<Bool>

    /// A cache of these limits, `nil` for any number of images; see `Policy` and `keepsWeakReferences`.
    public init(
        byteLimit: Int = defaultByteLimit, countLimit: Int? = nil, policy: Policy = .scanResistant,
        keepsWeakReferences: Bool = false
    ) {
        self.policy = policy
        table = EntryTable()
        isWeak = Atomic(keepsWeakReferences)
        var state = MemoryImageCacheState(table, policy, byteLimit: byteLimit, countLimit: countLimit)
        if keepsWeakReferences { state.weakImages = WeakImages() }
        self.state = Mutex(state)
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

    /// Whether images that had to go are found again for as long as somebody else holds their pixels. Off at first.
    ///
    /// Such an image is then kept again. Switching it off forgets those that went.
    public var keepsWeakReferences: Bool {
        get { isWeak.load(ordering: .relaxed) }
        set {
            state.withLock {
                guard newValue != ($0.weakImages != nil) else { return }
                $0.weakImages = newValue ? WeakImages() : nil
                isWeak.store(newValue, ordering: .relaxed)
            }
        }
    }

    /// What all images cost together: see `Image.memoryCost`.
    public var totalCost: Int { state.withLock { $0.totals.cost } }

    /// How many images there are.
    public var count: Int { state.withLock { $0.totals.count } }

    /// How many images that went are remembered, those included of which nobody has noticed yet that they are gone.
    var weakReferenceCount: Int { state.withLock { $0.weakImages?.count ?? 0 } }

    /// The image of `key`, which is used by that; `nil` for a miss.
    public func image(for key: CacheKey) -> Image? {
        let image = table.withEntry(of: key) { entry in
            noteUse(of: entry)
            return entry.image
        }
        return image ?? (isWeak.load(ordering: .relaxed) ? revive(key) : nil)
    }

    /// Keeps `image`, unless it costs more than the limit, in place of what was there.
    public func store(_ image: Image, for key: CacheKey) {
        change { $0.store(image, for: key, at: clock.wrappingAdd(1, ordering: .relaxed).newValue) }
    }

    /// Whether `image(for:)` would answer one; that counts as no use of it.
    public func contains(_ key: CacheKey) -> Bool {
        if table[key] != nil { return true }
        return keepsWeakReferences && state.withLock { $0.weakImages?.image(for: key) != nil }
    }

    /// Removes the image of `key`.
    public func remove(_ key: CacheKey) { change { $0.remove(key) } }

    /// Removes the original and all variants of `source`, without looking at others.
    public func removeAll(ofSource source: String) { change { $0.removeAll(ofSource: source) } }

    /// Removes everything.
    public func removeAll() { change { $0.removeAll() } }

    /// The original and all variants of `source` that are in memory; that counts as no use of them.
    public func images(ofSource source: String) -> [(CacheKey, Image)] {
        state.withLock { $0.images(ofSource: source) }
    }

    /// Drops half of what it has on a warning, and everything when memory is critical. Weak references stay.
    public func respond(to pressure: MemoryPressure) {
        change { state in
            let totals = state.totals
            return switch pressure {
            case .normal: []
            case .warning: state.evict { $0.cost <= totals.cost / 2 && $0.byteCount <= totals.byteCount / 2 }
            case .critical: state.evict { _ in false }
            }
        }
    }

    private func noteUse(of entry: MemoryEntry) {
        let mark = entry.mark
        switch policy {
        case .leastRecentlyUsed:
            // The newest stays the newest.
            guard mark != clock.load(ordering: .relaxed) else { return }
            entry.mark = clock.wrappingAdd(1, ordering: .relaxed).newValue
        case .scanResistant:
            if mark < ScanResistant.mostUses { entry.mark = mark + 1 }
        }
    }

    /// Keeps the image of `key` again if somebody still holds it.
    private func revive(_ key: CacheKey) -> Image? {
        let time = clock.wrappingAdd(1, ordering: .relaxed).newValue
        let (image, removed) = state.withLock { $0.revive(key, at: time) }
        withExtendedLifetime(removed) {}
        return image
    }

    /// Runs `body`. The entries it answers are freed after the lock is: giving back much memory takes long.
    private func change(_ body: (inout MemoryImageCacheState) -> [MemoryEntry]) {
        let removed = state.withLock { body(&$0) }
        withExtendedLifetime(removed) {}
    }
}

extension MemoryImageCache: MemoryBudget.Tenant {
    /// What the pixels and frames of all images take, whatever costs were set.
    public var heldByteCount: Int { state.withLock { $0.totals.byteCount } }

    /// Evicts images that take so many bytes together, or all.
    public func shrink(by byteCount: Int) {
        change { state in
            let target = state.totals.byteCount - byteCount
            return state.evict { $0.byteCount <= target }
        }
    }
}
