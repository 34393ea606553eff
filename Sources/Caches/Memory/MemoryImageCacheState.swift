import DarkroomCore

/// What a `MemoryImageCache` holds. Whatever removes images answers them, so that they can be freed elsewhere.
struct MemoryImageCacheState {
    private struct Entry {
        let key: CacheKey
        let image: Image
        let cost: Int
    }

    var byteLimit: Int
    var countLimit: Int?
    private(set) var totalCost = 0
    private(set) var count = 0
    private var entries = RecencyList<Entry>()
    /// Places by source, then by variant, so that a source is removed without a search.
    private var places: [String: [[String]: RecencyList<Entry>.Place]] = [:]

    init(byteLimit: Int, countLimit: Int?) {
        self.byteLimit = byteLimit
        self.countLimit = countLimit
    }

    func contains(_ key: CacheKey) -> Bool { places[key.source]?[key.variant] != nil }

    mutating func use(_ key: CacheKey) -> Image? {
        guard let place = places[key.source]?[key.variant] else { return nil }
        entries.use(place)
        return entries[place].image
    }

    mutating func store(_ image: Image, for key: CacheKey) -> [Image] {
        var removed = remove(key)
        let cost = max(0, image.memoryCost)
        guard cost <= byteLimit, countLimit.map({ $0 > 0 }) ?? true else { return removed }
        removed += removeExcess(leaving: cost)
        places[key.source, default: [:]][key.variant] = entries.insert(Entry(key: key, image: image, cost: cost))
        totalCost += cost
        count += 1
        return removed + removeExcess()
    }

    mutating func remove(_ key: CacheKey) -> [Image] {
        guard let place = places[key.source]?.removeValue(forKey: key.variant) else { return [] }
        if places[key.source]?.isEmpty == true { places[key.source] = nil }
        return [takeEntry(at: place).image]
    }

    mutating func removeAll(ofSource source: String) -> [Image] {
        let variants = places.removeValue(forKey: source) ?? [:]
        return variants.values.map { takeEntry(at: $0).image }
    }

    mutating func removeAll() -> [Image] {
        let removed = places.values.flatMap(\.values).map { entries[$0].image }
        self = Self(byteLimit: byteLimit, countLimit: countLimit)
        return removed
    }

    /// Removes the oldest images until the limits hold, with `cost` more to come.
    mutating func removeExcess(leaving cost: Int = 0) -> [Image] {
        var removed: [Image] = []
        while totalCost > byteLimit - cost || count > countLimit ?? .max, let oldest = entries.oldest {
            removed += remove(entries[oldest].key)
        }
        return removed
    }

    private mutating func takeEntry(at place: RecencyList<Entry>.Place) -> Entry {
        let entry = entries.remove(place)
        totalCost -= entry.cost
        count -= 1
        return entry
    }
}
