import DarkroomCore

/// The state of a `MemoryImageCache` other than its table, including the eviction order.
///
/// Functions that remove entries return them, so that they can be released without the lock.
struct MemoryImageCacheState {
    /// Sums over all entries.
    struct Totals {
        var cost = 0
        var byteCount = 0
        var count = 0
    }

    var byteLimit: Int
    var countLimit: Int?
    private(set) var totals = Totals()
    /// Evicted images that may still be referenced elsewhere; `nil` unless weak references are enabled.
    var weakImages: WeakImages?
    /// The generations of the sources.
    var generations = SourceGenerations()
    private let table: EntryTable
    private let policy: MemoryImageCache.Policy
    private var order: any EvictionOrder
    /// The images of each source, so that a source is removed without a search.
    private var sources: [CacheKey: [ObjectIdentifier: MemoryEntry]] = [:]

    init(table: EntryTable, policy: MemoryImageCache.Policy, byteLimit: Int, countLimit: Int?) {
        self.table = table
        self.policy = policy
        order = policy.makeOrder()
        self.byteLimit = byteLimit
        self.countLimit = countLimit
    }

    /// Returns all images of `source`, including those that are only referenced weakly.
    func images(ofSource source: String) -> [(CacheKey, Image)] {
        let source = CacheKey(source: source)
        let held = sources[source]?.values.map { ($0.key, $0.image) } ?? []
        return held + (weakImages?.images(ofSource: source) ?? [])
    }

    mutating func store(_ image: Image, for key: CacheKey, at time: Int) -> [MemoryEntry] {
        let old = remove(key)
        let entry = MemoryEntry(image, for: key)
        guard entry.cost <= byteLimit, countLimit ?? 1 > 0 else {
            weakImages?.insert(image, for: key)
            return old
        }
        let removed = evictExcess(makingRoomForCost: entry.cost, count: 1)
        add(entry)
        order.insert(entry, at: time)
        table.insert(entry)
        return old + removed
    }

    /// Stores an evicted image again if it is still referenced elsewhere.
    mutating func revive(_ key: CacheKey, at time: Int) -> (Image?, [MemoryEntry]) {
        // Another thread may have stored it first.
        if let entry = table[key] { return (entry.image, []) }
        guard let image = weakImages?.image(for: key) else { return (nil, []) }
        return (image, store(image, for: key, at: time))
    }

    mutating func remove(_ key: CacheKey) -> [MemoryEntry] {
        weakImages?.remove(key)
        guard let entry = table[key] else { return [] }
        order.remove(entry)
        detach(entry)
        return [entry]
    }

    /// Removes the images of `source` whose keys satisfy `predicate`.
    mutating func removeAll(
        ofSource source: String, where predicate: (CacheKey) -> Bool = { _ in true }
    ) -> [MemoryEntry] {
        let source = CacheKey(source: source)
        weakImages?.removeAll(ofSource: source, where: predicate)
        let entries = (sources[source] ?? [:]).values.filter { predicate($0.key) }
        for entry in entries {
            order.remove(entry)
            detach(entry)
        }
        return entries
    }

    mutating func removeAll() -> [MemoryEntry] {
        if weakImages != nil { weakImages = WeakImages() }
        totals = Totals()
        order = policy.makeOrder()
        sources = [:]
        return table.removeAll()
    }

    /// Evicts entries until there is room for the given cost and number of entries within the limits.
    mutating func evictExcess(makingRoomForCost cost: Int = 0, count: Int = 0) -> [MemoryEntry] {
        let (byteLimit, countLimit) = (byteLimit - cost, (countLimit ?? .max) - count)
        return evict { $0.cost <= byteLimit && $0.count <= countLimit }
    }

    /// Evicts entries until `isEnough` returns true for the totals of the rest.
    mutating func evict(until isEnough: (Totals) -> Bool) -> [MemoryEntry] {
        var evicted: [MemoryEntry] = []
        while !isEnough(totals), let entry = order.removeFirst() {
            detach(entry)
            weakImages?.insert(entry.image, for: entry.key)
            evicted.append(entry)
        }
        return evicted
    }

    private mutating func add(_ entry: MemoryEntry) {
        totals.cost += entry.cost
        totals.byteCount += entry.image.heldByteCount
        totals.count += 1
        sources[entry.key.ofPlainSource, default: [:]][ObjectIdentifier(entry)] = entry
    }

    private mutating func detach(_ entry: MemoryEntry) {
        totals.cost -= entry.cost
        totals.byteCount -= entry.image.heldByteCount
        totals.count -= 1
        table.remove(entry.key)
        let source = entry.key.ofPlainSource
        sources[source]?[ObjectIdentifier(entry)] = nil
        if sources[source]?.isEmpty == true { sources[source] = nil }
    }
}
