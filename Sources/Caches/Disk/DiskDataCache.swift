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
/// Entries not used for the longest time go first, which is exact up to about a thousand entries and nearly so beyond;
/// uses of one entry within five minutes, or a tenth of `maximumAge` if that is less, count as one.
///
/// What fails is thrown, and is a miss or not kept. It does not make the cache useless: once there is room again, or the
/// folder is back, or may be written again, all is as before.
public final class DiskDataCache: DataCache {
    let worker: StoreWorker
    let openingScan: Task<Void, Never>
    let trimming: Task<Void, Never>?
    var store: EntryStore { worker.store }

    /// A cache in `directory`, which is made if need be.
    ///
    /// Entries whose age by `expiryDate` reaches `maximumAge` are misses; with `nil` they never grow too old. With a
    /// `trimInterval` the cache trims itself again and again, for as long as it is there.
    ///
    /// When it is made, it counts in the background what is in the folder, unless that was done within `scanInterval`: so
    /// it mends what killed processes left behind. `onFailure` hears on any thread what could not be done, from each sort
    /// of failure once a minute at most.
    ///
    /// Throws when the folder cannot be used, or a limit allows nothing. That the disk is full at this moment is no reason.
    public convenience init(
        directory: URL, byteLimit: Int = 1 << 30, maximumAge: Duration? = .seconds(7 * 24 * 60 * 60),
        expiryDate: ExpiryDate = .access, trimInterval: Duration? = nil, scanInterval: Duration = .seconds(60 * 60),
        onFailure: (@Sendable (ImageError) -> Void)? = nil
    ) throws(ImageError) {
        try self.init(
            FilePath(text: directory.path),
            EntryStore.Limits(byteCount: byteLimit, age: maximumAge, date: expiryDate),
            trimInterval: trimInterval, scanInterval: scanInterval, FailureReports(onFailure))
    }

    init(
        _ path: FilePath, _ limits: EntryStore.Limits, trimInterval: Duration? = nil, scanInterval: Duration = .zero,
        _ failures: FailureReports = FailureReports(nil)
    ) throws(ImageError) {
        try limits.check()
        guard trimInterval.map({ $0 > .zero }) ?? true else {
            throw ImageError(senseless: "trimInterval must be more than zero, or nil for no trimming")
        }
        let worker = StoreWorker(path, limits, failures)
        try worker.prepare()
        self.worker = worker
        openingScan = Task { await worker.scan(after: scanInterval) }
        trimming = trimInterval.map { interval in
            Task { while (try? await Task.sleep(for: interval)) != nil { try? await worker.trim() } }
        }
    }

    deinit {
        openingScan.cancel()
        trimming?.cancel()
    }

    /// The folder of `namespace` in the user's caches: `$XDG_CACHE_HOME/darkroom` or `~/.cache/darkroom`.
    public static func defaultDirectory(namespace: String = "default") -> URL {
        let chosen = ProcessInfo.processInfo.environment["XDG_CACHE_HOME"] ?? ""
        let caches =
            chosen.utf8.first == UInt8(ascii: "/")
            ? URL(filePath: chosen, directoryHint: .isDirectory) : URL.homeDirectory.appending(path: ".cache")
        return caches.appending(path: "darkroom").appending(path: namespace, directoryHint: .isDirectory)
    }

    /// The entry of `key`, which is used by that; `nil` for a miss. Nothing is read when the task is cancelled by then.
    public func entry(for key: CacheKey) async throws -> DataEntry? {
        try await worker.read { store in try store.entry(for: key) }
    }

    /// The same, but that is no use of it, nothing is removed, and neither hit nor miss is counted.
    public func peek(at key: CacheKey) async throws -> DataEntry? {
        try await worker.read { store in try store.peek(at: key) }
    }

    /// Keeps `entry` in place of what was there, unless its file would be longer than the limit.
    public func store(_ entry: DataEntry, for key: CacheKey) async throws {
        try await worker.run { store in try store.store(entry, for: key) }
    }

    /// Replaces the metadata of an entry, if there is one of that version; that counts as no use of it.
    public func update(_ metadata: DataEntry.Metadata, for key: CacheKey) async throws {
        try await worker.run { store in try store.update(metadata, for: key) }
    }

    /// Whether there is an entry of `key`. Only the end of its file is read, and that counts as no use of it.
    public func contains(_ key: CacheKey) async throws -> Bool {
        try await worker.read { store in try store.contains(key) }
    }

    /// Removes the entry of `key`.
    public func remove(_ key: CacheKey) async throws { try await worker.run { store in try store.remove(key) } }

    /// Removes the original and all variants of `source`, which lie in one folder.
    public func removeAll(ofSource source: String) async throws {
        try await worker.run { store in try store.removeAll(ofSource: source) }
    }

    /// Removes all entries.
    public func removeAll() async throws {
        try await worker.forEachSlice { store, entries in
            for entry in entries { try store.directory.remove(entry.name) }
        }
    }
}
