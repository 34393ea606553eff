import DarkroomCore
import Foundation
import GRDB

/// A row of the table. Text is stored as bytes, because SQLite ends text at the first zero.
struct EntryRecord {
    /// The identifier of the row.
    let id: Int64

    private let key: CacheKey
    private let data: Data
    private let metadata: Data
    private let checksum: Int64

    /// The entry; `nil` if its bytes do not match their checksum. That of an entry with another key does not match either,
    /// to which a damaged index may lead.
    var entry: DataEntry? {
        guard checksum == key.checksum(data, metadata),
            let metadata = try? JSONDecoder().decode(DataEntry.Metadata.self, from: metadata)
        else { return nil }
        return DataEntry(data, metadata: metadata)
    }

    /// Creates the table if it does not exist.
    static func prepare(_ database: Database) throws {
        try database.execute(
            sql: """
                CREATE TABLE IF NOT EXISTS entry (
                    id INTEGER PRIMARY KEY, source BLOB NOT NULL, variant BLOB NOT NULL, data BLOB NOT NULL,
                    metadata BLOB NOT NULL, checksum INTEGER NOT NULL, byteCount INTEGER NOT NULL, lastUse INTEGER NOT NULL,
                    UNIQUE (source, variant));
                CREATE INDEX IF NOT EXISTS entryByUse ON entry (lastUse, byteCount);
                """)
    }

    static func fetchOne(_ database: Database, key: CacheKey) throws -> EntryRecord? {
        try Row.fetchOne(
            database, sql: "SELECT id, data, metadata, checksum FROM entry WHERE source = ? AND variant = ?",
            arguments: key.arguments
        ).map { EntryRecord(id: $0[0], key: key, data: $0[1], metadata: $0[2], checksum: $0[3]) }
    }

    static func exists(_ database: Database, key: CacheKey) throws -> Bool {
        try Bool.fetchOne(
            database, sql: "SELECT EXISTS (SELECT 1 FROM entry WHERE source = ? AND variant = ?)",
            arguments: key.arguments) ?? false
    }

    static func byteCount(_ database: Database) throws -> Int {
        try Int.fetchOne(database, sql: "SELECT TOTAL(byteCount) FROM entry") ?? 0
    }

    static func lastUse(_ database: Database) throws -> Int64 {
        try Int64.fetchOne(database, sql: "SELECT MAX(lastUse) FROM entry") ?? 0
    }

    static func setLastUse(_ use: Int64, of id: Int64, in database: Database) throws {
        try database.execute(sql: "UPDATE entry SET lastUse = ? WHERE id = ?", arguments: [use, id])
    }

    /// Deletes an entry. Like the functions below, it returns the sizes of the deleted entries.
    static func delete(_ database: Database, key: CacheKey) throws -> [Int] {
        try delete(database, where: "source = ? AND variant = ?", arguments: key.arguments)
    }

    static func delete(_ database: Database, source: String) throws -> [Int] {
        try delete(database, where: "source = ?", arguments: [Data(source.utf8)])
    }

    static func deleteLeastUsed(_ database: Database) throws -> [Int] {
        try delete(database, where: "id = (SELECT id FROM entry ORDER BY lastUse LIMIT 1)", arguments: [])
    }

    static func deleteAll(_ database: Database) throws -> [Int] { try delete(database, where: "TRUE", arguments: []) }

    private static func delete(
        _ database: Database, where condition: String, arguments: StatementArguments
    ) throws -> [Int] {
        try Int.fetchAll(
            database, sql: "DELETE FROM entry WHERE \(condition) RETURNING byteCount", arguments: arguments)
    }
}

/// An entry to be written.
struct NewEntry: Sendable {
    /// The key of the entry.
    let key: CacheKey

    private let data: Data
    private let metadata: Data

    /// The size that counts towards the limit.
    let byteCount: Int

    init(_ entry: DataEntry, key: CacheKey) throws {
        self.key = key
        data = entry.data
        metadata = try JSONEncoder().encode(entry.metadata)
        byteCount = data.count + metadata.count + key.source.utf8.count + key.encodedVariant.count
    }

    /// Inserts the entry, and returns its size.
    func insert(_ database: Database, use: Int64) throws -> Int {
        try database.execute(
            sql: """
                INSERT INTO entry (source, variant, data, metadata, checksum, byteCount, lastUse)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: key.arguments + [data, metadata, key.checksum(data, metadata), byteCount, use])
        return byteCount
    }
}

extension CacheKey {
    /// The parts of the variant, each prefixed with its length, so that different lists have different encodings.
    fileprivate var encodedVariant: Data { Data(variant.map { "\($0.utf8.count):\($0)" }.joined().utf8) }

    fileprivate var arguments: StatementArguments { [Data(source.utf8), encodedVariant] }

    /// Returns the FNV-1a checksum of this key and the bytes of its entry, each with its length. It detects disk errors, but
    /// not deliberate changes.
    fileprivate func checksum(_ data: Data, _ metadata: Data) -> Int64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for part in [Data(source.utf8), encodedVariant, data, metadata] {
            for byte in "\(part.count):".utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
            for byte in part { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        }
        return Int64(bitPattern: hash)
    }
}
