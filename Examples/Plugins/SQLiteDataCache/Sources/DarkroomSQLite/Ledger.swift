import GRDB

/// The totals that a cache keeps in memory to avoid querying the database. A new ledger queries them on first use.
struct Ledger: Sendable {
    /// The size of all entries; `nil` if it must be queried.
    private var byteCount: Int?

    /// The number of the most recent use; `nil` if it must be queried.
    private var lastUse: Int64?

    /// The entries read since uses were last written, in order.
    private var unwritten: [Int64] = []

    /// The maximum number of uses held in memory; beyond it, the order matters little.
    private static let unwrittenLimit = 10_000

    /// Records that an entry was read.
    mutating func use(_ id: Int64) {
        if unwritten.count < Self.unwrittenLimit { unwritten.append(id) }
    }

    /// Stores `entry` in place of the existing one, and evicts entries beyond the limit.
    mutating func put(_ entry: NewEntry, in database: Database, byteLimit: Int) throws {
        try writeUses(to: database)
        freed(try EntryRecord.delete(database, key: entry.key))
        let added = try entry.insert(database, use: nextUse())
        byteCount? += added
        while try countedBytes(in: database) > byteLimit { freed(try EntryRecord.deleteLeastUsed(database)) }
    }

    /// Subtracts the sizes of removed entries.
    mutating func freed(_ bytes: [Int]) { byteCount? -= bytes.reduce(0, +) }

    /// Adopts `after`, which was derived from `before`, and adds the uses recorded in the meantime.
    mutating func replace(_ before: Ledger, with after: Ledger) {
        let new = unwritten.dropFirst(before.unwritten.count)
        self = after
        unwritten += new
    }

    /// Writes the recorded uses to the database.
    mutating func writeUses(to database: Database) throws {
        if lastUse == nil { lastUse = try EntryRecord.lastUse(database) }
        for id in unwritten { try EntryRecord.setLastUse(nextUse(), of: id, in: database) }
        unwritten = []
    }

    private mutating func countedBytes(in database: Database) throws -> Int {
        let count = try byteCount ?? EntryRecord.byteCount(database)
        byteCount = count
        return count
    }

    /// Returns a number higher than those of all previous uses.
    private mutating func nextUse() -> Int64 {
        let use = (lastUse ?? 0) + 1
        lastUse = use
        return use
    }
}
