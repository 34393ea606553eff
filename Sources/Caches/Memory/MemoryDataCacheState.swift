import DarkroomCore
import DarkroomPlatform

/// The entries of a `MemoryDataCache`, by key and by source.
struct MemoryDataCacheState {
    private var table: ClockTable<CacheKey, DataEntry>
    /// The entries of each source.
    private var sources: [CacheKey: Set<CacheKey>] = [:]
    /// The generations of the sources.
    var generations = SourceGenerations()

    init(byteLimit: Int) { table = ClockTable(costLimit: byteLimit) }

    var count: Int { table.count }

    var byteCount: Int { table.cost }

    func entry(for key: CacheKey) -> DataEntry? { table[key] }

    /// Returns the entry of `key`, and marks it as used.
    mutating func use(_ key: CacheKey) -> DataEntry? { table.use(key) }

    mutating func store(_ entry: DataEntry, for key: CacheKey) {
        let evicted = table.store(entry, for: key, cost: Self.byteCount(of: entry, for: key))
        sources[key.ofPlainSource, default: []].insert(key)
        for key in evicted { forget(key) }
        if table[key] == nil { forget(key) }
    }

    mutating func update(_ metadata: DataEntry.Metadata, for key: CacheKey) {
        guard let entry = table[key], entry.metadata.isOfSameVersion(as: metadata) else { return }
        store(DataEntry(entry.data, metadata: metadata), for: key)
    }

    /// Removes the entry of `key`, and refuses stores of loads that began before.
    mutating func remove(_ key: CacheKey) {
        generations.end(ofSource: key.source)
        table.remove(key)
        forget(key)
    }

    /// Removes the entries of `source`, and refuses stores of loads that began before `moment`, or are under way.
    mutating func removeAll(ofSource source: String, at moment: LoadMoment) {
        generations.end(ofSource: source, at: moment)
        removeEntries(ofSource: source)
    }

    /// Removes the entries that `response` replaces.
    mutating func removeEntries(replacedBy response: SourceResponse) {
        for key in sources[CacheKey(source: response.source)] ?? [] where response.replaces(key) {
            table.remove(key)
            forget(key)
        }
    }

    private mutating func removeEntries(ofSource source: String) {
        for key in sources.removeValue(forKey: CacheKey(source: source)) ?? [] { table.remove(key) }
    }

    /// Evicts entries until the others take at most `target` bytes.
    mutating func evict(downTo target: Int) {
        for key in table.evict(downTo: target) { forget(key) }
    }

    private mutating func forget(_ key: CacheKey) {
        sources[key.ofPlainSource]?.remove(key)
        if sources[key.ofPlainSource]?.isEmpty == true { sources[key.ofPlainSource] = nil }
    }

    /// The bytes that an entry takes. Of small files under long URLs, the keys take most of the memory.
    private static func byteCount(of entry: DataEntry, for key: CacheKey) -> Int {
        let keyByteCount = key.variant.reduce(key.source.utf8.count) { $0 + $1.utf8.count }
        return entry.data.count + 2 * keyByteCount + entry.metadata.byteCount + 512
    }
}

extension DataEntry.Metadata {
    /// The approximate number of bytes of everything that has no fixed size.
    fileprivate var byteCount: Int {
        let info = info.map { info in
            [info.iccProfile, info.exif?.data, info.xmp?.data, info.iptc].reduce(8 * info.frameDurations.count) {
                $0 + ($1?.count ?? 0)
            }
        }
        return strings.reduce(0) { $0 + $1.utf8.count + 32 } + (extendedData?.count ?? 0) + (info ?? 0)
    }

    private var strings: [String] {
        var strings = (file?.notes ?? []) + (info?.comments ?? []) + setCookies
        if let response { strings.append(response.url.absoluteString) }
        if let original { strings.append(original.revision) }
        for hop in original?.route?.hops ?? [] {
            strings += [hop.url.absoluteString, hop.address ?? ""] + hop.credentials
        }
        for fields in [response?.headers, original?.varied.fields] {
            for (name, value) in fields ?? [:] { strings += [name, value] }
        }
        return strings
    }
}
