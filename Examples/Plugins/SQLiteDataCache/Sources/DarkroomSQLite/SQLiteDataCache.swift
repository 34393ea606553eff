public import DarkroomCore
public import Foundation
import GRDB
import Synchronization

/// Caches encoded bytes in a single SQLite database, for a great many small images that would each take a block on
/// disk.
///
/// Only one process may have it open. Work runs on GRDB's own threads, so no caller is blocked. The least recently used
/// entries are evicted first; uses between two stores may be lost with the process. An entry that fails its checksum is
/// removed, and is a miss. A damaged database is renamed to `images.sqlite.damaged`, and a new one is created.
public final class SQLiteDataCache: DataCache {
    /// The limit on the total size of all entries, including metadata.
    public let byteLimit: Int

    private let file: DatabaseFile
    private let ledger = Mutex(Ledger())

    /// Opens the cache in `directory`, which is created if necessary. It blocks briefly: create it once, at start-up.
    ///
    /// - Throws: An error if the folder is not usable, or if `byteLimit` is not positive.
    public init(directory: URL, byteLimit: Int = 256 << 20) throws(ImageError) {
        guard byteLimit > 0 else {
            throw ImageError(.unsupported, .cache, "byteLimit is \(byteLimit), but must be at least 1")
        }
        self.byteLimit = byteLimit
        file = try DatabaseFile(directory)
    }

    /// Returns the entry of `key` and counts as a use; `nil` for a miss.
    public func entry(for key: CacheKey) async throws -> DataEntry? {
        let record = try await use { database in
            try await database.read { try EntryRecord.fetchOne($0, key: key) }
        }
        guard let record else { return nil }
        guard let entry = record.entry else {
            try await remove(key)
            return nil
        }
        ledger.withLock { $0.use(record.id) }
        return entry
    }

    /// Returns the entry without counting as a use, and without removing it if it is damaged.
    public func peek(at key: CacheKey) async throws -> DataEntry? {
        try await use { database in
            try await database.read { try EntryRecord.fetchOne($0, key: key)?.entry }
        }
    }

    /// Stores `entry` in place of the existing one, unless it exceeds the limit.
    public func store(_ entry: DataEntry, for key: CacheKey) async throws {
        let record = try NewEntry(entry, key: key)
        guard record.byteCount <= byteLimit else { return try await remove(key) }
        try await write { [byteLimit] in try $1.put(record, in: $0, byteLimit: byteLimit) }
    }

    /// Replaces the metadata of an entry with the same version, and leaves its bytes unchanged.
    public func update(_ metadata: DataEntry.Metadata, for key: CacheKey) async throws {
        try await write { [byteLimit] in
            guard var entry = try EntryRecord.fetchOne($0, key: key)?.entry,
                metadata.isOfSameVersion(as: entry.metadata)
            else { return }
            entry.metadata = metadata
            try $1.put(try NewEntry(entry, key: key), in: $0, byteLimit: byteLimit)
        }
    }

    /// Returns whether there is an entry for `key`.
    public func contains(_ key: CacheKey) async throws -> Bool {
        try await use { database in
            try await database.read { try EntryRecord.exists($0, key: key) }
        }
    }

    /// Removes the entry of `key`.
    public func remove(_ key: CacheKey) async throws {
        try await write { $1.freed(try EntryRecord.delete($0, key: key)) }
    }

    /// Removes the original and all variants of `source`.
    public func removeAll(ofSource source: String) async throws {
        try await write { $1.freed(try EntryRecord.delete($0, source: source)) }
    }

    /// Removes everything, and returns the space to the file system.
    public func removeAll() async throws {
        try await write { $1.freed(try EntryRecord.deleteAll($0)) }
        try await trim()
    }

    /// Returns the space of removed entries to the file system.
    public func trim() async throws {
        try await write { try $1.writeUses(to: $0) }
        try await use { database in try await database.vacuum() }
    }

    /// Runs `body` in a transaction, and adopts its ledger only if that succeeds.
    private func write(_ body: @Sendable @escaping (Database, inout Ledger) throws -> Void) async throws {
        try await use { [self] database in
            // GRDB runs one writer at a time, so the counts cannot change between these two statements.
            try await database.write { database in
                let before = ledger.withLock { $0 }
                var after = before
                try body(database, &after)
                ledger.withLock { [after] in $0.replace(before, with: after) }
            }
        }
    }

    /// Discards the ledger after a failure, because the failed operation may have changed anything.
    private func use<Result: Sendable>(_ body: (DatabasePool) async throws -> Result) async throws -> Result {
        func resetLedger() { ledger.withLock { $0 = Ledger() } }
        do {
            return try await file.use(onDamage: resetLedger, body)
        } catch {
            resetLedger()
            throw error
        }
    }
}
