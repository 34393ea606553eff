public import DarkroomCore
import Synchronization

/// A memory cache of decoded images with a cost limit. Its policy determines which images are evicted first.
///
/// A hit takes constant time and rarely contends with other threads; a store takes amortized constant time. An image
/// that costs more than the whole limit is not stored.
public final class MemoryImageCache: ImageCache {
    /// A quarter of the memory available to this process, and at most 512 MiB.
    public static let defaultByteLimit = min(SystemMemory().byteCount / 4, 512 << 20)

    /// The eviction policy.
    public let policy: Policy

    /// Read by hits. Changes require the lock of the state.
    private let table: EntryTable
    private let state: Mutex<MemoryImageCacheState>
    private let clock = Atomic<Int>(0)
    private let hasWeakReferences: Atomic<Bool>

    /// Creates a cache with the given limits, where `nil` allows any number of images.
    public init(
        byteLimit: Int = defaultByteLimit, countLimit: Int? = nil, policy: Policy = .scanResistant,
        keepsWeakReferences: Bool = false
    ) {
        self.policy = policy
        table = EntryTable()
        hasWeakReferences = Atomic(keepsWeakReferences)
        var state = MemoryImageCacheState(table: table, policy: policy, byteLimit: byteLimit, countLimit: countLimit)
        if keepsWeakReferences { state.weakImages = WeakImages() }
        self.state = Mutex(state)
    }

    /// The maximum total cost of all images. A lower value takes effect immediately.
    public var byteLimit: Int {
        get { state.withLock { $0.byteLimit } }
        set {
            change {
                $0.byteLimit = newValue
                return $0.evictExcess()
            }
        }
    }

    /// The maximum number of images; `nil` for any number. A lower value takes effect immediately.
    public var countLimit: Int? {
        get { state.withLock { $0.countLimit } }
        set {
            change {
                $0.countLimit = newValue
                return $0.evictExcess()
            }
        }
    }

    /// Whether an evicted image can be found again as long as its pixels are referenced elsewhere. The default is
    /// `false`.
    ///
    /// Such an image is stored again when it is found. Setting it to `false` discards all weak references.
    public var keepsWeakReferences: Bool {
        get { hasWeakReferences.load(ordering: .relaxed) }
        set {
            state.withLock {
                guard newValue != ($0.weakImages != nil) else { return }
                $0.weakImages = newValue ? WeakImages() : nil
                hasWeakReferences.store(newValue, ordering: .relaxed)
            }
        }
    }

    /// The total cost of all images, see `Image.memoryCost`.
    public var totalCost: Int { state.withLock { $0.totals.cost } }

    /// The number of images.
    public var count: Int { state.withLock { $0.totals.count } }

    /// The number of weak references, including those whose images are gone but not yet pruned.
    var weakReferenceCount: Int { state.withLock { $0.weakImages?.count ?? 0 } }

    /// Returns the image of `key`, or `nil` for a miss. It counts as a use.
    public func image(for key: CacheKey) -> Image? {
        let image = table.withEntry(of: key) { entry in
            recordUse(of: entry)
            return entry.image
        }
        return image ?? (hasWeakReferences.load(ordering: .relaxed) ? revive(key) : nil)
    }

    /// Stores `image` in place of any existing one, unless it costs more than the limit.
    public func store(_ image: Image, for key: CacheKey) {
        store(image, for: key, with: .unchecked)
    }

    /// Stores `image`, unless its source was replaced or removed since `ticket` was taken.
    public func store(_ image: Image, for key: CacheKey, with ticket: StoreTicket) {
        change { state in
            guard state.generations.permits(ticket, forSource: key.source) else { return [] }
            return state.store(image, for: key, at: clock.wrappingAdd(1, ordering: .relaxed).newValue)
        }
    }

    /// Returns a ticket of the current generation of `source`.
    public func ticket(forSource source: String) -> StoreTicket {
        state.withLock { $0.generations.ticket(forSource: source) }
    }

    /// Starts the generation of `response`, and removes the images of its source, unless they have its revision.
    public func startGeneration(of response: SourceResponse, after ticket: StoreTicket?) -> StoreTicket? {
        let (ticket, removed) = state.withLock { state -> (StoreTicket?, [MemoryEntry]) in
            let start = state.generations.start(response, after: ticket)
            guard start.removesEntries else { return (start.ticket, []) }
            return (start.ticket, state.removeAll(ofSource: response.source, where: response.replaces))
        }
        withExtendedLifetime(removed) {}
        return ticket
    }

    /// Returns whether `image(for:)` would return an image. It does not count as a use.
    public func contains(_ key: CacheKey) -> Bool {
        if table[key] != nil { return true }
        return keepsWeakReferences && state.withLock { $0.weakImages?.image(for: key) != nil }
    }

    /// Removes the image of `key`.
    public func remove(_ key: CacheKey) {
        change { state in
            state.generations.end(ofSource: key.source)
            return state.remove(key)
        }
    }

    /// Removes the original and all variants of `source`, without a search.
    public func removeAll(ofSource source: String) { removeAll(ofSource: source, at: .now()) }

    /// Removes the original and all variants of `source`, because another cache removed them at `moment`. Images of later
    /// loads can be stored.
    public func removeAll(ofSource source: String, at moment: LoadMoment) {
        change { state in
            state.generations.end(ofSource: source, at: moment)
            return state.removeAll(ofSource: source)
        }
    }

    /// Removes everything.
    public func removeAll() {
        change { state in
            state.generations.endAll()
            return state.removeAll()
        }
    }

    /// Returns the original and all variants of `source` in memory. It does not count as a use.
    public func images(ofSource source: String) -> [(CacheKey, Image)] {
        state.withLock { $0.images(ofSource: source) }
    }

    /// Evicts half of the images on a warning, and all when memory is critical. Weak references stay.
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

    private func recordUse(of entry: MemoryEntry) {
        let usage = entry.usage
        switch policy {
        case .leastRecentlyUsed:
            // The most recent entry stays the most recent.
            guard usage != clock.load(ordering: .relaxed) else { return }
            entry.usage = clock.wrappingAdd(1, ordering: .relaxed).newValue
        case .scanResistant:
            if usage < ScanResistant.maximumUseCount { entry.usage = usage + 1 }
        }
    }

    /// Stores the image of `key` again if it is still referenced elsewhere.
    private func revive(_ key: CacheKey) -> Image? {
        let time = clock.wrappingAdd(1, ordering: .relaxed).newValue
        let (image, removed) = state.withLock { $0.revive(key, at: time) }
        withExtendedLifetime(removed) {}
        return image
    }

    /// Runs `body`. The entries it returns are released after the lock is, because freeing much memory takes long.
    private func change(_ body: (inout MemoryImageCacheState) -> [MemoryEntry]) {
        let removed = state.withLock { body(&$0) }
        withExtendedLifetime(removed) {}
    }
}

extension MemoryImageCache: MemoryBudget.Tenant {
    /// The size of the pixels and frames of all images, regardless of their costs.
    public var heldByteCount: Int { state.withLock { $0.totals.byteCount } }

    /// Evicts images of at least `byteCount` bytes in total, or all.
    public func shrink(by byteCount: Int) {
        change { state in
            let target = state.totals.byteCount - byteCount
            return state.evict { $0.byteCount <= target }
        }
    }
}
