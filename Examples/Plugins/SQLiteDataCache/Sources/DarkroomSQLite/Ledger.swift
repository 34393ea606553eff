import GRDB

/// What a cache knows of its entries without asking the database. A new one asks first.
struct Ledger: Sendable {
    /// Bytes of all entries; `nil` when they must be counted.
    private var byteCount: Int?

    /// The number of the last use; `nil` when it must be looked up.
    private var lastUse: Int64?

    /// Entries read since they were last written down, in order.
    private var unwritten: [Int64] = []

    /// More are not remembered: the order of use matters little beyond.
    private static let mostUnwritten = 10_000

    /// Notes that an entry was read.
    mutating func use(_ id: Int64) {
        if unwritten.count < Self.mostUnwritten { unwritten.append(id) }
    }

    /// Writes `entry` in place of what was there, and removes what is too much then.
    mutating func put(_ entry: NewEntry, in database: Database, byteLimit: Int) throws {
        try writeUses(to: database)
        freed(try EntryRecord.delete(database, entry.key))
        let added = try entry.insert(database, use: nextUse())
        byteCount? += added
        while try countedBytes(in: database) > byteLimit { freed(try EntryRecord.deleteLeastUsed(database)) }
    }

    /// Counts entries that are gone.
    mutating func freed(_ bytes: [Int]) { byteCount? -= bytes.reduce(0, +) }

    /// Becomes `after`, which was made of `before`, with what was read meanwhile.
    mutating func replace(_ before: Ledger, with after: Ledger) {
        let new = unwritten.dropFirst(before.unwritten.count)
        self = after
        unwritten += new
    }

    /// Writes down which entries were read.
    mutating func writeUses(to database: Database) throws {
        if lastUse == nil { lastUse = try EntryRecord.lastUse(database) }
        for id in unwritten { try EntryRecord.use(database, id, nextUse()) }
        unwritten = []
    }

    private mutating func countedBytes(in database: Database) throws -> Int {
        let count = try byteCount ?? EntryRecord.byteCount(database)
        byteCount = count
        return count
    }

    /// A number higher than those of all uses before.
    private mutating func nextUse() -> Int64 {
        let use = (lastUse ?? 0) + 1
        lastUse = use
        return use
    }
}
