import DarkroomCore
import DarkroomFiles
import DarkroomPlatform
import DarkroomTestKit
import FoundationEssentials
import Testing

@testable import DarkroomCaches

/// Everything that a disk cache can be asked to do, on a few entries, of which some share a shard.
struct CrashScenario: Sendable {
    /// A call of a cache.
    struct Step: Sendable {
        let name: String
        /// Whether a crash in it may remove any entry.
        var removesAny = false
        /// The source whose shard may lose any entry in a crash.
        var removed: String?
        /// The keys that have no entry once it has returned.
        var absent: [CacheKey] = []
        let body: @Sendable (CrashScenario, DiskDataCache) async throws -> Void
    }

    /// The first two are in one shard.
    static let sources: [String] = {
        let all = (0..<1 << 20).lazy.map { "http://a.test/\($0).png" }
        let first = all.first.map { Shard(ofSource: $0) }
        return all.filter { Shard(ofSource: $0) == first }.prefix(2) + ["b", "c", "d"]
    }()

    static let keys = sources.map { CacheKey(source: $0) } + [CacheKey(source: sources[0], variant: ["V"])]

    /// The folder that contains those of the caches.
    let root: URL

    /// Returns the path of a folder in `root`. The cache is in `cache`, and in `moved` at the end.
    static func path(in root: URL, _ name: String = "cache", faults: FileFaults? = nil) -> FilePath {
        FilePath(text: root.appending(path: name).path, faults: faults)
    }

    /// Returns the entry that is stored at `key` for the `number`th time.
    static func entry(_ key: CacheKey, _ number: UInt8, extended: UInt8 = 0) -> DataEntry {
        var metadata = DataEntry.Metadata(storedAt: Date(timeIntervalSinceReferenceDate: 0))
        metadata.extendedData = Data([extended])
        metadata.original = OriginalVersion(revision: "\(number)")
        // Of more than a page, and never equal to that of another key.
        return DataEntry(Data(repeating: number, count: 4200) + Data(key.description.utf8), metadata: metadata)
    }

    /// The steps in order.
    static let steps: [Step] =
        keys.map { key in store(key, 1) } + [
            store(keys[2], 2),
            Step(name: "update") { _, cache in
                try await cache.update(entry(keys[1], 1, extended: 7).metadata, for: keys[1])
            },
            Step(name: "look up") { _, cache in _ = await cache.lookUp(keys[3]) },
            Step(name: "generation", removed: sources[0]) { _, cache in
                let response = SourceResponse(of: sources[0], at: .now(), revision: "2")
                _ = try await cache.startGeneration(of: response, after: nil)
            },
            store(keys[0], 2),
            Step(name: "remove", removed: sources[3], absent: [keys[3]]) { _, cache in try await cache.remove(keys[3])
            },
            Step(name: "remove source", removed: sources[1], absent: [keys[1]]) { _, cache in
                try await cache.removeAll(ofSource: sources[1])
            },
            store(keys[1], 3), store(keys[3], 3),
            Step(name: "limit", removesAny: true) { _, cache in try await cache.setByteLimit(15_000) },
            Step(name: "trim", removesAny: true) { _, cache in
                cache.store.changeLimits { $0.byteCount = 12_000 }
                try await cache.trim()
                try await cache.setByteLimit(1 << 30)
            },
            store(keys[0], 4), store(keys[5], 4),
            Step(name: "remove all", removesAny: true, absent: keys) { _, cache in try await cache.removeAll() },
            store(keys[0], 5), store(keys[4], 5),
            Step(name: "move") { scenario, cache in
                try await EntryDirectory.move(from: cache.path, to: scenario.path("moved", like: cache))
            },
            store(keys[1], 6), store(keys[4], 6),
            Step(name: "merge") { scenario, cache in
                try await EntryDirectory.move(from: cache.path, to: scenario.path("moved", like: cache))
            },
        ]

    private static func store(_ key: CacheKey, _ number: UInt8) -> Step {
        Step(name: "store") { _, cache in try await cache.store(entry(key, number), for: key) }
    }

    /// All entries that are ever stored at a key.
    static let storedEntries: [CacheKey: Set<DataEntry>] = Dictionary(
        uniqueKeysWithValues: keys.map { key in
            let entries = (1...6 as ClosedRange<UInt8>).flatMap { number in
                [0, 7].map { entry(key, number, extended: $0) }
            }
            return (key, Set(entries))
        })

    private func path(_ name: String, like cache: DiskDataCache) -> FilePath {
        Self.path(in: root, name, faults: cache.path.faults)
    }

    /// Opens the cache in the folder `cache`.
    func open(_ faults: FileFaults? = nil) async throws -> DiskDataCache {
        let cache = try DiskDataCache(
            at: Self.path(in: root, faults: faults), limits: .init(byteCount: 1 << 30, age: nil, maximumUseLag: .zero))
        await cache.waitForOpeningScan()
        return cache
    }

    /// Whether the lock of a cache is held.
    var isLocked: Bool {
        ["cache", "moved"].contains { ShardUsage.isLocked(Self.path(in: root, $0).text + "/darkroom-usage") }
    }

    /// Returns what is found at each key, in either folder, without any change.
    func contents() throws -> [CacheKey: DataEntry] {
        var found: [CacheKey: DataEntry] = [:]
        for name in ["cache", "moved"] {
            let store = EntryStore(EntryDirectory(Self.path(in: root, name)), limits: .init(byteCount: 1 << 30))
            for key in Self.keys { found[key] = try store.peek(at: key) ?? found[key] }
        }
        return found
    }
}

extension ShardUsage {
    /// Returns whether the lock of the file at `path` is held.
    static func isLocked(_ path: String) -> Bool {
        let file = unsafe open(path, O_RDWR)
        guard file >= 0 else { return false }
        defer {
            flock(file, LOCK_UN)
            close(file)
        }
        return flock(file, LOCK_EX | LOCK_NB) != 0
    }
}

extension DiskDataCache {
    /// The path of the folder.
    fileprivate var path: FilePath { store.directory.path }
}
