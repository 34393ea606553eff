public import DarkroomCore
public import DarkroomPlatform

/// The rules that every data cache must follow. Each check throws a ``ContractViolation`` that describes the broken rule.
///
/// Each check uses a folder of its own, which is removed afterwards. A cache may throw on failure, which counts as a miss or
/// a failed store, but it must never return anything but what was stored. It needs room for a few hundred kilobytes.
///
/// The behaviour when a process is killed or its disk is full can be checked only in other processes: see `checkFaults`.
public struct DataCacheContract: Sendable {
    /// Creates a cache that stores its entries in `directory`, which exists.
    public typealias MakeCache = @Sendable (_ directory: URL) async throws -> any DataCache

    let makeCache: MakeCache
    let persists: Bool

    /// Creates the contract of the caches that `makeCache` returns. `persists` states whether entries outlive the cache object.
    public init(persists: Bool = true, makeCache: @escaping MakeCache) {
        self.persists = persists
        self.makeCache = makeCache
    }

    /// Runs all checks that need no other process.
    public func checkAll() async throws {
        try await checkStoring()
        try await checkMisses()
        try await checkReplacing()
        try await checkUpdating()
        try await checkVersions()
        try await checkRemoving()
        try await checkTickets()
        try await checkKeys()
        try await checkConcurrency()
        try await checkReopening()
        try await checkDamage()
        try await checkLostDirectory()
    }

    /// Checks that stored entries are returned complete, with bytes and metadata.
    public func checkStoring() async throws {
        try await withCache { cache, subject in
            for (index, byteCount) in [0, 1, 100, 70_000, 300_001].enumerated() {
                let entry = DataEntry(Data.sample(byteCount), metadata: index % 2 == 0 ? .full : .bare)
                try await subject.require(cache, has: nil, for: CacheKey(source: "\(index)"), "a key never stored")
                try await subject.storing { try await cache.store(entry, for: CacheKey(source: "\(index)")) }
                try await subject.require(cache, has: entry, for: CacheKey(source: "\(index)"), "an entry just stored")
            }
        }
    }

    /// Checks that a key never stored is a miss, also after an update or a removal.
    public func checkMisses() async throws {
        try await withCache { cache, subject in
            try await subject.storing { try await cache.store(.sample(1), for: .a) }
            for key in [CacheKey.b, CacheKey(source: CacheKey.a.source, variant: ["V"])] {
                try await subject.require(cache, has: nil, for: key, "a key never stored")
                try await subject.storing("updating a missing entry") { try await cache.update(.full, for: key) }
                try await subject.require(cache, has: nil, for: key, "a key only updated")
                try await subject.storing("removing a missing entry") { try await cache.remove(key) }
                try await subject.require(cache, has: nil, for: key, "a key only updated, and removed,")
            }
            try await subject.require(cache, has: .sample(1), for: .a, "an entry among keys never stored")
        }
    }

    /// Checks that a store replaces an earlier one, with longer or shorter data.
    public func checkReplacing() async throws {
        try await withCache { cache, subject in
            for (number, byteCount) in [500, 20, 60_000, 0, 7].enumerated() {
                let entry = DataEntry(Data.sample(byteCount, number: number), metadata: .numbered(number))
                try await subject.storing { try await cache.store(entry, for: .a) }
                try await subject.require(cache, has: entry, for: .a, "an entry stored in place of another")
            }
        }
    }

    /// Checks that metadata can be replaced without affecting the bytes.
    public func checkUpdating() async throws {
        try await withCache { cache, subject in
            var entry = DataEntry(Data.sample(5_000), metadata: .full)
            try await subject.storing { try await cache.store(entry, for: .a) }
            try await subject.storing { try await cache.store(.sample(2), for: .b) }
            for metadata in [DataEntry.Metadata.bare, .numbered(1), .full, .numbered(2)] {
                entry.metadata = metadata
                try await subject.storing("updating metadata") { try await cache.update(metadata, for: .a) }
                try await subject.require(cache, has: entry, for: .a, "an entry whose metadata was updated")
            }
            try await subject.require(cache, has: .sample(2), for: .b, "an entry beside one that was updated")
        }
    }

    /// Checks that metadata of another version than that of the entry leaves it unchanged.
    public func checkVersions() async throws {
        try await withCache { cache, subject in
            let entry = DataEntry(Data.sample(3_000), metadata: .version("2"))
            try await subject.storing { try await cache.store(entry, for: .a) }
            try await subject.storing("updating metadata") { try await cache.update(.version("1"), for: .a) }
            try await subject.require(cache, has: entry, for: .a, "an entry, after an update of another version,")
            var renewed = entry
            renewed.metadata.extendedData = Data([1])
            try await subject.storing("updating metadata") { try await cache.update(renewed.metadata, for: .a) }
            try await subject.require(cache, has: renewed, for: .a, "an entry, after an update of its version,")
        }
    }

    /// Checks that removed entries are gone, and all others remain.
    public func checkRemoving() async throws {
        let (source, spelling) = ("https://example.com/e\u{301}", "https://example.com/\u{E9}")
        let keys = [
            CacheKey(source: source), CacheKey(source: source, variant: ["V"]), .b, CacheKey(source: "\(source)x"),
            CacheKey(source: spelling),
        ]
        let calls: [(String, Set<CacheKey>, @Sendable (any DataCache) async throws -> Void)] = [
            ("removing a key", [keys[0]], { try await $0.remove(keys[0]) }),
            ("removing a variant", [keys[1]], { try await $0.remove(keys[1]) }),
            ("removing a source", [keys[0], keys[1]], { try await $0.removeAll(ofSource: source) }),
            ("removing all", Set(keys), { try await $0.removeAll() }),
            ("trimming", [], { try await $0.trim() }),
        ]
        for (name, removed, call) in calls {
            try await withCache { cache, subject in
                for (number, key) in keys.enumerated() {
                    try await subject.storing { try await cache.store(.sample(number), for: key) }
                }
                try await subject.storing(name) { try await call(cache) }
                for (number, key) in keys.enumerated() {
                    let expected = removed.contains(key) ? nil : DataEntry.sample(number)
                    try await subject.require(cache, has: expected, for: key, "\(key.shown), after \(name),")
                }
                try await subject.storing("storing after \(name)") { try await cache.store(.sample(9), for: .a) }
                try await subject.require(cache, has: .sample(9), for: .a, "an entry stored after \(name)")
            }
        }
    }

    /// Checks that similar keys are distinguished: those that differ in Unicode form, case, characters that are special in
    /// file systems or databases, or only after a long common prefix.
    ///
    /// A cache may store only one of two such keys, but must never return the entry of the other.
    public func checkKeys() async throws {
        try await withCache { cache, subject in
            let keys = CacheKey.confusableKeys
            for (number, key) in keys.enumerated() {
                try await subject.require(cache, has: nil, for: key, "\(key.shown), never stored,")
                try await subject.storing("storing \(key.shown)") { try await cache.store(.sample(number), for: key) }
                try await subject.require(cache, has: .sample(number), for: key, "\(key.shown), just stored,")
            }
            for (number, key) in keys.enumerated() where try await cache.entry(for: key) != nil {
                try await subject.require(
                    cache, has: .sample(number), for: key, "\(key.shown), among similar keys,")
            }
        }
    }

    /// Checks that concurrent readers and writers see only complete entries of their own keys.
    public func checkConcurrency() async throws {
        try await withCache { cache, subject in
            try await withThrowingTaskGroup { group in
                for seed in 0..<6 {
                    group.addTask { @concurrent in
                        var operations = RandomCacheOperations(seed: UInt64(seed))
                        for _ in 0..<40 { try await operations.step(on: cache, of: subject) }
                    }
                }
                try await group.waitForAll()
            }
            try await subject.storing("storing after concurrent use") {
                try await cache.store(.sample(1), for: .a)
            }
            try await subject.require(cache, has: .sample(1), for: .a, "an entry stored after concurrent use")
        }
    }

    /// Checks that a second cache of the same directory has the entries that the first one stored, and not those it removed.
    public func checkReopening() async throws {
        guard persists else { return }
        try await withTemporaryDirectory { folder in
            do {
                let (cache, subject) = try await openCache(in: folder)
                for number in 0..<5 {
                    try await subject.storing {
                        try await cache.store(.sample(number), for: CacheKey(source: "\(number)"))
                    }
                }
                try await subject.storing("updating metadata") {
                    try await cache.update(.full, for: CacheKey(source: "1"))
                }
                try await subject.storing("removing") { try await cache.remove(CacheKey(source: "2")) }
            }
            let (cache, subject) = try await openCache(in: folder)
            for number in 0..<5 {
                var expected: DataEntry? = number == 2 ? nil : .sample(number)
                if number == 1 { expected?.metadata = .full }
                try await subject.require(
                    cache, has: expected, for: CacheKey(source: "\(number)"), "entry \(number), after reopening,")
            }
        }
    }
}
