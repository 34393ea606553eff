public import DarkroomCore
import DarkroomFiles
public import DarkroomPlatform
import Synchronization

/// A disk cache of encoded data in a folder that any number of processes may share.
///
/// Each entry is a single file: the image, which any viewer opens, followed by its metadata. A file is verified
/// completely when it is read; a damaged one is removed and counts as a miss.
///
/// If a process is killed at any moment, each entry is complete, as it was before or after the operation in progress, or
/// absent, and what has been removed stays so. Nothing is flushed to the disk, so a power failure may undo what was stored,
/// replaced or removed shortly before, in any order: each entry is then one that was stored for its key at some time, and
/// complete, or absent, because one whose bytes did not reach the disk fails verification. An entry is never returned for
/// another key. The next cache in the folder corrects the totals, removes what is left of unfinished stores, and ends
/// unfinished removals. A disk that forgets writes while the system runs on, such as one that is pulled out, is no power
/// failure: empty its cache.
///
/// The size limit is enforced after every store of a process; each additional process may exceed it by the one entry
/// that it is writing. This needs no scans: each process counts what it adds and removes in a shared file. The least
/// recently used entries are evicted first, exactly up to about a thousand entries and approximately beyond. Uses of an
/// entry within five minutes, or a tenth of `ageLimit` if that is less, count as one.
///
/// Removals need no disk space. Once one has returned, no process that shares the folder has the entries, or stores again
/// what it had begun to load before. For that, locks of files must work between all of them; their clocks may disagree.
///
/// A failed operation throws, and is a miss or stores nothing. The cache stays usable: it works again as soon as there
/// is space on the disk, or the folder is back or writable. While another process holds the lock of the folder for more than
/// 5 seconds, because it was stopped or hangs, whatever needs the lock fails, and does not wait again.
///
/// If the disk does not complete an operation within 8 seconds, or within about a minute one on many entries, such as a
/// part of `trim()`, it fails with all others. Until it has ended on the disk, further operations fail immediately.
///
/// If the folder may only be read, because of its file system or its permissions, the cache serves the entries in it.
/// Loads store nothing there, and metadata is not updated; `store(_:for:)`, removals and `trim()` throw. Uses may not be
/// recorded either, so for a folder that no process writes, pass `nil` as `ageLimit`.
public final class DiskDataCache: DataCache {
    let worker: StoreWorker
    let openingScan: Task<Void, Never>
    let trimming: Task<Void, Never>?
    var store: EntryStore { worker.store }

    /// Creates a cache in `directory`, which is created if necessary, and excluded from backups unless it has other files.
    ///
    /// It scans the folder in the background, unless that was done within `scanInterval`, and thus cleans up after
    /// killed processes.
    ///
    /// - Parameters:
    ///   - directory: The folder, which other processes may use at the same time.
    ///   - byteLimit: The size of all entries in bytes.
    ///   - ageLimit: The age, by `expiryDate`, at which an entry becomes a miss; `nil` for no limit.
    ///   - expiryDate: The date from which the age of an entry counts.
    ///   - trimInterval: The interval at which the cache trims itself as long as it exists; `nil` for never.
    ///   - scanInterval: The time after a scan during which no other one is made.
    ///   - onFailure: Called on any thread with failed operations, at most once per minute for each cause. It is called
    ///     once if the folder may only be read, before `init` returns if that is so from the start.
    /// - Throws: An error if the folder cannot be read or created or a limit allows nothing, but not if the disk is full.
    public convenience init(
        directory: URL, byteLimit: Int = 1 << 30, ageLimit: Duration? = .seconds(7 * 24 * 60 * 60),
        expiryDate: ExpiryDate = .access, trimInterval: Duration? = nil, scanInterval: Duration = .seconds(60 * 60),
        onFailure: (@Sendable (ImageError) -> Void)? = nil
    ) throws(ImageError) {
        try self.init(
            at: FilePath(text: directory.path),
            limits: EntryStore.Limits(byteCount: byteLimit, age: ageLimit, date: expiryDate),
            trimInterval: trimInterval, scanInterval: scanInterval, failures: FailureReports(onFailure))
    }

    init(
        at path: FilePath, limits: EntryStore.Limits, trimInterval: Duration? = nil, scanInterval: Duration? = .zero,
        failures: FailureReports = FailureReports(nil), watch: HangWatch = HangWatch()
    ) throws(ImageError) {
        try limits.check()
        guard trimInterval.map({ $0 > .zero }) ?? true else {
            throw ImageError(invalidConfiguration: "trimInterval must be greater than zero, or nil for no trimming")
        }
        let worker = StoreWorker(path, limits: limits, failures: failures, watch: watch)
        try worker.prepare()
        self.worker = worker
        openingScan = Task { if let scanInterval { await worker.scan(after: scanInterval) } }
        trimming = trimInterval.map { interval in
            Task { while (try? await Task.sleep(for: interval)) != nil { try? await worker.trim() } }
        }
    }

    deinit {
        openingScan.cancel()
        trimming?.cancel()
    }

    /// Returns the folder of `namespace` in the user's cache folder: `$XDG_CACHE_HOME/darkroom` or `~/.cache/darkroom`.
    public static func defaultDirectory(namespace: String = "default") -> URL {
        let chosen = ProcessInfo.processInfo.environment["XDG_CACHE_HOME"] ?? ""
        let caches =
            chosen.utf8.first == UInt8(ascii: "/")
            ? URL(filePath: chosen, directoryHint: .isDirectory) : URL.homeDirectory.appending(path: ".cache")
        return caches.appending(path: "darkroom").appending(path: namespace, directoryHint: .isDirectory)
    }

    /// Returns the entry of `key`, or `nil` for a miss. It counts as a use. A cancelled task reads nothing. For a load, an entry of
    /// more than 256 KiB is read when its memory budget has room for it (`EntryMemory`).
    public func entry(for key: CacheKey) async throws -> DataEntry? {
        try await worker.entry(for: key)
    }

    /// Returns the same without any side effect: it counts neither as a use nor as a hit or miss, and removes nothing.
    public func peek(at key: CacheKey) async throws -> DataEntry? {
        try await worker.read { store in try store.peek(at: key) }
    }

    /// Stores `entry` in place of any existing one, unless its file would exceed the size limit.
    public func store(_ entry: DataEntry, for key: CacheKey) async throws {
        try await worker.run { store in try store.store(entry, for: key) }
    }

    /// Returns a ticket of the current generation of `source`, which all processes share. It is `.refused` while the
    /// folder may only be read.
    public func ticket(forSource source: String) async throws -> StoreTicket {
        try await worker.read { store in try store.ticket(forSource: source) }
    }

    /// Takes the ticket and reads the entry on one thread, one after the other. A cancelled task does neither.
    public func lookUp(_ key: CacheKey) async -> DataLookup { await worker.lookUp(key) }

    /// Stores `entry`, unless its source was replaced or removed since `ticket` was taken, by whatever process.
    public func store(_ entry: DataEntry, for key: CacheKey, with ticket: StoreTicket) async throws {
        try await worker.run { store in try store.store(entry, for: key, with: ticket) }
    }

    /// Starts the generation of `response`, and removes the entries of its source with another revision.
    ///
    /// If the process is killed meanwhile, the entries are removed before the source is used again.
    public func startGeneration(of response: SourceResponse, after ticket: StoreTicket?) async throws -> StoreTicket? {
        try await worker.run { store in try store.startGeneration(of: response, after: ticket) }
    }

    /// Replaces the metadata of an existing entry of the same version. This does not count as a use.
    public func update(_ metadata: DataEntry.Metadata, for key: CacheKey) async throws {
        try await worker.run { store in try store.update(metadata, for: key) }
    }

    /// Returns whether there is an entry of `key`. It reads only the end of the file, and does not count as a use.
    public func contains(_ key: CacheKey) async throws -> Bool {
        try await worker.read { store in try store.contains(key) }
    }

    /// Removes the entry of `key`.
    public func remove(_ key: CacheKey) async throws { try await worker.run { store in try store.remove(key) } }

    /// Removes the original and all variants of `source`, which are in one folder.
    public func removeAll(ofSource source: String) async throws {
        try await worker.run { store in try store.removeAll(ofSource: source) }
    }

    /// Removes all entries.
    public func removeAll() async throws {
        for shard in try await worker.run({ store in try store.directory.beginRemoval() }) {
            guard !Task.isCancelled else { throw ImageError.cancelled }
            try await worker.runLong { store in try store.directory.endRemoval(of: shard) }
        }
    }
}
