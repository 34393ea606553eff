public import DarkroomCore
public import Foundation
import GRDB
import Synchronization

/// Keeps encoded bytes in one SQLite database: for a great many small pictures, which would each take a block on disk.
///
/// One process has it open at a time. Work is done on threads of GRDB's own, so nobody is blocked who loads. Entries that
/// were not used for the longest time go first; in the order of use, what is read between two stores may be lost with the
/// process. An entry whose bytes do not have their checksum is removed, and is a miss. A damaged database is set aside,
/// as `pictures.sqlite.damaged`, and begun anew.
public final class SQLiteDataCache: DataCache {
    /// The most bytes that entries take together, with what is known about them.
    public let byteLimit: Int

    private let file: DatabaseFile
    private let ledger = Mutex(Ledger())

    /// A cache in `directory`, which is made if need be. It blocks for a moment: make it once, and early.
    ///
    /// Throws when the folder cannot be used, or `byteLimit` allows nothing.
    public init(directory: URL, byteLimit: Int = 256 << 20) throws(ImageError) {
        guard byteLimit > 0 else {
            throw ImageError(.unsupported, .cache, "byteLimit is \(byteLimit), and must be more than zero")
        }
        self.byteLimit = byteLimit
        file = try DatabaseFile(directory)
    }

    /// The entry of `key`, which is used by that; `nil` for a miss.
    public func entry(for key: CacheKey) async throws -> DataEntry? {
        let record = try await use { database in
            try await database.read { try EntryRecord.fetchOne($0, key) }
        }
        guard let record else { return nil }
        guard let entry = record.entry else {
            try await remove(key)
            return nil
        }
        ledger.withLock { $0.use(record.id) }
        return entry
    }

    /// The same, but that is no use of it, and it stays when it is damaged.
    public func peek(at key: CacheKey) async throws -> DataEntry? {
        try await use { database in
            try await database.read { try EntryRecord.fetchOne($0, key)?.entry }
        }
    }

    /// Keeps `entry` in place of what was there, unless it is larger than the limit.
    public func store(_ entry: DataEntry, for key: CacheKey) async throws {
        let record = try NewEntry(entry, key)
        guard record.byteCount <= byteLimit else { return try await remove(key) }
        try await write { [byteLimit] in try $1.put(record, in: $0, byteLimit: byteLimit) }
    }

    /// Replaces the metadata of an entry of that version, and leaves its bytes.
    public func update(_ metadata: DataEntry.Metadata, for key: CacheKey) async throws {
        try await write { [byteLimit] in
            guard var entry = try EntryRecord.fetchOne($0, key)?.entry, metadata.isOfSameVersion(as: entry.metadata)
            else { return }
            entry.metadata = metadata
            try $1.put(try NewEntry(entry, key), in: $0, byteLimit: byteLimit)
        }
    }

    /// Whether there is an entry of `key`.
    public func contains(_ key: CacheKey) async throws -> Bool {
        try await use { database in
            try await database.read { try EntryRecord.exists($0, key) }
        }
    }

    /// Removes the entry of `key`.
    public func remove(_ key: CacheKey) async throws {
        try await write { $1.freed(try EntryRecord.delete($0, key)) }
    }

    /// Removes the original and all variants of `source`.
    public func removeAll(ofSource source: String) async throws {
        try await write { $1.freed(try EntryRecord.delete($0, source: source)) }
    }

    /// Removes everything, and gives the room back to the disk.
    public func removeAll() async throws {
        try await write { $1.freed(try EntryRecord.deleteAll($0)) }
        try await trim()
    }

    /// Gives the room of entries that are gone back to the disk.
    public func trim() async throws {
        try await write { try $1.writeUses(to: $0) }
        try await use { database in try await database.vacuum() }
    }

    /// Runs `body` in a transaction. Its ledger is taken over only when that succeeds.
    private func write(_ body: @Sendable @escaping (Database, inout Ledger) throws -> Void) async throws {
        try await use { [self] database in
            // GRDB runs one writer at a time, so nobody else changes the counts between these two.
            try await database.write { database in
                let before = ledger.withLock { $0 }
                var after = before
                try body(database, &after)
                ledger.withLock { [after] in $0.replace(before, with: after) }
            }
        }
    }

    /// What fails may have changed anything, so everything is asked anew afterwards.
    private func use<Result: Sendable>(_ body: (DatabasePool) async throws -> Result) async throws -> Result {
        func forget() { ledger.withLock { $0 = Ledger() } }
        do {
            return try await file.use(onDamage: forget, body)
        } catch {
            forget()
            throw error
        }
    }
}
