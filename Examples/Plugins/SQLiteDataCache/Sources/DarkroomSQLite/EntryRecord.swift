import DarkroomCore
import Foundation
import GRDB

/// An entry as the table has it. Text is kept as bytes: SQLite ends it at the first zero.
struct EntryRecord {
    /// The number of its row.
    let id: Int64

    private let data: Data
    private let metadata: Data
    private let checksum: Int64

    /// The entry; `nil` when its bytes are not those that were written.
    var entry: DataEntry? {
        guard checksum == Self.checksum(data, metadata),
            let metadata = try? JSONDecoder().decode(DataEntry.Metadata.self, from: metadata)
        else { return nil }
        return DataEntry(data, metadata: metadata)
    }

    /// Makes the table where there is none.
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

    static func fetchOne(_ database: Database, _ key: CacheKey) throws -> EntryRecord? {
        try Row.fetchOne(
            database, sql: "SELECT id, data, metadata, checksum FROM entry WHERE source = ? AND variant = ?",
            arguments: key.arguments
        ).map { EntryRecord(id: $0[0], data: $0[1], metadata: $0[2], checksum: $0[3]) }
    }

    static func exists(_ database: Database, _ key: CacheKey) throws -> Bool {
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

    static func use(_ database: Database, _ id: Int64, _ use: Int64) throws {
        try database.execute(sql: "UPDATE entry SET lastUse = ? WHERE id = ?", arguments: [use, id])
    }

    /// Answers the bytes of what it deletes, as do those below.
    static func delete(_ database: Database, _ key: CacheKey) throws -> [Int] {
        try delete(database, "source = ? AND variant = ?", key.arguments)
    }

    static func delete(_ database: Database, source: String) throws -> [Int] {
        try delete(database, "source = ?", [Data(source.utf8)])
    }

    static func deleteLeastUsed(_ database: Database) throws -> [Int] {
        try delete(database, "id = (SELECT id FROM entry ORDER BY lastUse LIMIT 1)", [])
    }

    static func deleteAll(_ database: Database) throws -> [Int] { try delete(database, "TRUE", []) }

    private static func delete(
        _ database: Database, _ condition: String, _ arguments: StatementArguments
    ) throws -> [Int] {
        try Int.fetchAll(
            database, sql: "DELETE FROM entry WHERE \(condition) RETURNING byteCount", arguments: arguments)
    }

    /// FNV-1a, which sees what a failing disk does; it does not see what an enemy does.
    static func checksum(_ parts: Data...) -> Int64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for part in parts {
            for byte in part { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        }
        return Int64(bitPattern: hash)
    }
}

/// An entry that is to be written.
struct NewEntry: Sendable {
    /// Under which it is found.
    let key: CacheKey

    private let data: Data
    private let metadata: Data

    /// What counts against the limit.
    let byteCount: Int

    init(_ entry: DataEntry, _ key: CacheKey) throws {
        self.key = key
        data = entry.data
        metadata = try JSONEncoder().encode(entry.metadata)
        byteCount = data.count + metadata.count + key.source.utf8.count + key.encodedVariant.count
    }

    /// Answers its bytes.
    func insert(_ database: Database, use: Int64) throws -> Int {
        try database.execute(
            sql: """
                INSERT INTO entry (source, variant, data, metadata, checksum, byteCount, lastUse)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: key.arguments + [data, metadata, EntryRecord.checksum(data, metadata), byteCount, use])
        return byteCount
    }
}

extension CacheKey {
    /// The parts of the variant, each with its length before it, so that no two lists look alike.
    fileprivate var encodedVariant: Data { Data(variant.map { "\($0.utf8.count):\($0)" }.joined().utf8) }

    fileprivate var arguments: StatementArguments { [Data(source.utf8), encodedVariant] }
}
