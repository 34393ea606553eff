public import DarkroomCore
import Synchronization

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Keeps encoded bytes in a folder, which any number of processes may share.
///
/// Each entry is one file: the picture itself, which any viewer opens, and behind it what is known about it. Files are
/// checked whole when they are read; a damaged one is removed, and counts as a miss.
///
/// After a process was killed at any moment, each entry can be read whole, as it was before or after the last store, or
/// is not there. After a power failure the same holds: an entry whose bytes did not reach the disk fails the check. An entry
/// never answers for another key.
///
/// The limit on bytes holds after every store of one process; each further process may pass it by the one entry that it is
/// writing. Nothing is ever scanned for that: each process counts what it adds and removes, in a file that all share.
/// Entries not used for the longest time go first, which is exact up to about a thousand entries and nearly so beyond.
public final class DiskDataCache: DataCache {
    let store: EntryStore
    let executor = WorkExecutor(name: "disk-cache", width: 2)
    let openingScan: Task<Void, Never>
    private let path: FilePath
    private let readOnlyDirectories: [ReadOnlyDirectory]

    /// A cache in `directory`, which is made if need be.
    ///
    /// Entries that were not used for `maximumAge` are misses; with `nil` they never grow too old. When nothing is found,
    /// `readOnlyDirectories` are asked in order: they hold plain pictures under the same names, in no further folders.
    public init(
        directory: URL, byteLimit: Int = 1 << 30, maximumAge: Duration? = .seconds(7 * 24 * 60 * 60),
        readOnlyDirectories: [URL] = []
    ) throws(ImageError) {
        path = FilePath(directory)
        self.readOnlyDirectories = readOnlyDirectories.map { ReadOnlyDirectory(path: FilePath($0)) }
        do {
            let limits = EntryStore.Limits(byteCount: byteLimit, age: maximumAge)
            store = EntryStore(try EntryDirectory(path), limits: limits)
        } catch {
            throw ImageError(error, "cannot be made", path)
        }
        openingScan = Self.scan(store.directory, executor)
    }

    deinit { openingScan.cancel() }

    /// The folder of `namespace` in the user's caches: `$XDG_CACHE_HOME/darkroom` or `~/.cache/darkroom`.
    public static func defaultDirectory(namespace: String = "default") -> URL {
        let chosen = ProcessInfo.processInfo.environment["XDG_CACHE_HOME"] ?? ""
        let caches =
            chosen.hasPrefix("/")
            ? URL(filePath: chosen, directoryHint: .isDirectory) : URL.homeDirectory.appending(path: ".cache")
        return caches.appending(path: "darkroom").appending(path: namespace, directoryHint: .isDirectory)
    }

    /// How many bytes the files of all entries may take together.
    public var byteLimit: Int { store.limits.withLock { $0.byteCount } }

    /// Changes the limit on bytes, and returns when it holds.
    public func setByteLimit(_ byteLimit: Int) async throws {
        store.limits.withLock { $0.byteCount = byteLimit }
        try await run { store in try store.evict(isTrimming: false) }
    }

    /// How long after its last use an entry may still be read; `nil` for ever.
    public var maximumAge: Duration? {
        get { store.limits.withLock { $0.age } }
        set { store.limits.withLock { $0.age = newValue } }
    }

    /// The entry of `key`, which is used by that; `nil` for a miss.
    public func entry(for key: CacheKey) async throws -> DataEntry? {
        try await run { [readOnlyDirectories] store in
            try store.entry(for: key) ?? readOnlyDirectories.lazy.compactMap { $0.entry(for: key) }.first
        }
    }

    /// Keeps `entry` in place of what was there, unless its file would be longer than the limit.
    public func store(_ entry: DataEntry, for key: CacheKey) async throws {
        try await run { store in try store.store(entry, for: key) }
    }

    /// Replaces the metadata of an entry, if there is one; that counts as no use of it.
    public func update(_ metadata: DataEntry.Metadata, for key: CacheKey) async throws {
        try await run { store in try store.update(metadata, for: key) }
    }

    /// Whether there is an entry of `key`. Only the end of its file is read, and that counts as no use of it.
    public func contains(_ key: CacheKey) async throws -> Bool { try await run { store in try store.contains(key) } }

    /// Removes the entry of `key`.
    public func remove(_ key: CacheKey) async throws { try await run { store in try store.remove(key) } }

    /// Removes the original and all variants of `source`, which lie in one folder.
    public func removeAll(ofSource source: String) async throws {
        try await run { store in try store.removeAll(ofSource: source) }
    }

    /// Removes all entries.
    public func removeAll() async throws {
        _ = try await forEachShard { store, shard in
            for entry in try store.directory.entries(of: shard) { try store.directory.remove(entry.name) }
        }
    }

    /// Runs `body` on a thread of this cache.
    func run<Result: Sendable>(_ body: @escaping @Sendable (EntryStore) throws -> Result) async throws -> Result {
        try await executor.run { [store, path] in
            do {
                return try body(store)
            } catch {
                throw ImageError(error, "cannot be used", path)
            }
        }
    }
}

extension ImageError {
    fileprivate init(_ error: any Error, _ what: String, _ path: FilePath) {
        self.init(.storage, .cache, "the disk cache at \(path.text) \(what): \(error)", underlying: error)
    }
}

extension FilePath {
    fileprivate init(_ url: URL) { self.init(text: url.path) }
}
