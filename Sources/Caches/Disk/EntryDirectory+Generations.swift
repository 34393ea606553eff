import DarkroomCore
import DarkroomFiles

// Generations. They end under the lock under which entries are removed and stored.
extension EntryDirectory {
    /// Returns a ticket of the generation of the source with this digest. With that of a folder that may only be read,
    /// nothing is stored.
    func ticket(of source: MD5Digest) throws -> StoreTicket {
        try usage.withLock { table in
            guard table.refusal == nil else { return .refused }
            return try table.ticket(of: source.last64Bits, in: try generations(of: Shard(source), in: table))
        }
    }

    /// Starts the generation of `response`, and removes the entries of its source with another revision. Returns `nil` if
    /// there is a newer generation. Throws in a folder that may only be read if the response replaces entries, which stay.
    ///
    /// If the folder is gone, it is created again: the response is about to be stored there.
    func startGeneration(of response: SourceResponse, after ticket: StoreTicket?) throws -> StoreTicket? {
        let source = MD5Digest(of: response.source)
        let hashed = GenerationSlot.Response(
            source: source.last64Bits, revision: response.revision.map { MD5Digest(of: $0).last64Bits } ?? 0,
            moment: response.moment)
        func isReplaced(_ record: EntryRecord) -> Bool {
            let isOfRevision = response.revision.map { $0 == record.metadata.original?.revision } ?? false
            return response.replaces(record.key) && !isOfRevision
        }
        return try withLockToAdd(readingAhead: Shard(source)) { table, isAhead in
            if let refusal = table.refusal {
                guard ticket == nil || response.isReplacement,
                    try listed(Shard(source)).contains(where: { try hasRecord($0.name, where: isReplaced) })
                else {
                    return .refused
                }
                throw refusal
            }
            let removal = SourceRemoval(source: source, isAhead: isAhead, predicate: isReplaced)
            return try start(hashed, after: ticket, removing: removal, in: table)
        }
    }

    private func start(
        _ response: GenerationSlot.Response, after ticket: StoreTicket?, removing removal: SourceRemoval,
        in table: UsageTable
    ) throws -> StoreTicket? {
        let shard = Shard(removal.source)
        var generations = try generations(of: shard, in: table)
        let known = try ticket.flatMap { try table.slotTicket($0, in: generations) }
        let start = generations.slot.start(
            response, after: known, isRemoved: ticket != nil && known == nil, at: clock())
        if start.removesEntries {
            try begin(generations, with: removal, in: table)
        } else if start.ticket != nil {
            try table.setGenerations(generations, of: shard)
        }
        guard start.ticket != nil else { return nil }
        return try table.ticket(of: removal.source.last64Bits, in: try table.generations(of: shard))
    }

    /// Removes the entries of `source`, and refuses stores of loads that began before.
    func removeEntries(of source: String) throws {
        let digest = MD5Digest(of: source)
        try withLock(for: .removal, readingAhead: Shard(digest)) { table, isAhead in
            var generations = try generations(of: Shard(digest), in: table)
            generations.slot.end(of: digest.last64Bits, at: clock())
            let removal = SourceRemoval(source: digest, isAhead: isAhead, isFinal: true) { $0.key.source == source }
            try begin(generations, with: removal, in: table)
        }
    }

    /// Runs `body` with the locked table. If it throws `UnreadEntries`, reads the records of `shard` without the lock, for
    /// which all other operations wait, and runs it again.
    private func withLock<Result: Sendable>(
        for purpose: ShardUsage.Purpose, readingAhead shard: Shard,
        _ body: (_ table: UsageTable, _ isAhead: Bool) throws -> Result
    ) throws -> Result {
        do {
            return try usage.withLock(for: purpose) { try body($0, false) }
        } catch is UnreadEntries {
            for entry in (try? listed(shard)) ?? [] { _ = try? hasRecord(entry.name) { _ in true } }
            return try usage.withLock(for: purpose) { try body($0, true) }
        }
    }

    /// Does the same for an entry that is about to be added. Creates the folder if it is gone.
    private func withLockToAdd<Result: Sendable>(
        readingAhead shard: Shard, _ body: (_ table: UsageTable, _ isAhead: Bool) throws -> Result
    ) throws -> Result {
        do {
            return try withLock(for: .addition, readingAhead: shard, body)
        } catch let error as SystemError where error.isMissing {
            try makeFolder()
            return try withLock(for: .addition, readingAhead: shard, body)
        }
    }

    /// Returns whether `predicate` holds for the record of an entry, or the entry is damaged.
    func hasRecord(_ name: EntryName, where predicate: (EntryRecord) -> Bool) throws -> Bool {
        guard let file = try open(name) else { return false }
        return try file.recordMatches(predicate) ?? true
    }

    /// Removes an entry of `source` if it exists and `predicate` holds for its record, or it is damaged. Refuses stores of
    /// loads that began before.
    func removeEntry(_ name: EntryName, of source: MD5Digest, if predicate: (EntryRecord) -> Bool) throws {
        try usage.withLock(for: .removal) { table in
            var generations = try generations(of: Shard(source), in: table)
            generations.slot.end(of: source.last64Bits, at: clock())
            // Under the lock: a load that began before may just have stored it.
            if try hasRecord(name, where: predicate) { try remove(name, in: table) }
            try end(generations, of: Shard(source), in: table)
        }
    }

    /// Begins the removal of all entries, and returns the shards that have some. Stores of loads that began before are
    /// refused.
    ///
    /// If the disk is full, it removes them all: there may be no space to note that they are being removed.
    func beginRemoval() throws -> Set<Shard> {
        let (found, isNoted) = try usage.withLock(for: .removal) { table -> (Set<Shard>, Bool) in
            let found = try shards(in: table)
            do {
                try table.beginRemoval(ofAll: found, at: clock())
                return (found, true)
            } catch let error as SystemError where error.isDiskFull {
                try table.endAllGenerations()
                return (found, false)
            }
        }
        guard !isNoted else { return found }
        for shard in found {
            try usage.withLock { table in
                for entry in try listed(shard) { _ = try remove(entry.name, in: table) }
            }
        }
        return []
    }

    /// Ends the removal of the entries of `shard`, unless that was done already.
    func endRemoval(of shard: Shard) throws {
        try usage.withLock { table in _ = try generations(of: shard, in: table) }
    }

    /// Ends the removals that were interrupted, and the generations that are damaged.
    func endRemovals(in table: UsageTable) throws {
        for shard in try table.unfinishedShards() { _ = try generations(of: shard, in: table) }
    }

    /// Returns whether `new` may be written: its ticket is current, or not checked.
    func permits(_ new: NewFile, in table: UsageTable) throws -> Bool {
        let generations = try generations(of: new.name.shard, in: table)
        guard let source = new.source else { return true }
        return try table.permits(new.ticket, for: source.last64Bits, in: generations)
    }

    /// Returns the generations of `shard`. Removes all entries first if an earlier removal was interrupted.
    private func generations(of shard: Shard, in table: UsageTable) throws -> ShardGenerations {
        var generations = try table.generations(of: shard)
        guard generations.isInRemoval else { return generations }
        generations.isInRemoval = false
        try begin(generations, of: shard, in: table, isFinal: true) { try listed(shard).map(\.name) }
        // Without it, the filter also has sources whose entries are gone.
        try? table.setSourceFilter(SourceFilter(), of: shard)
        // Numbers that could not be written would be given to later generations, too.
        generations = try table.generations(of: shard)
        generations.isInRemoval = false
        return generations
    }

    /// Begins generations of a shard after `removal`.
    ///
    /// Reads all entries of the shard unless the source has none. With that, a filter is made of the entries that are left,
    /// and damaged entries are removed, which may be of the source.
    private func begin(_ generations: ShardGenerations, with removal: SourceRemoval, in table: UsageTable) throws {
        let shard = Shard(removal.source)
        if try table.sourceFilter(of: shard)?.mayContain(removal.source) == false {
            guard removal.isFinal else { return try table.setGenerations(generations, of: shard) }
            return try end(generations, of: shard, in: table)
        }
        var filter = SourceFilter()
        try begin(generations, of: shard, in: table, isFinal: removal.isFinal) {
            let names = try names(of: shard)
            guard removal.isAhead || names.count <= SourceRemoval.quickCount else { throw UnreadEntries() }
            return try listed(names).map(\.name).filter { name in
                try hasRecord(name) { record in
                    if removal.predicate(record) { return true }
                    filter.insert(MD5Digest(of: record.key.source))
                    return false
                }
            }
        }
        try? table.setSourceFilter(filter, of: shard)
    }

    /// Begins generations of a shard after the removal of what `removed` returns. A final removal succeeds without disk
    /// space even if that is nothing.
    private func begin(
        _ generations: ShardGenerations, of shard: Shard, in table: UsageTable, isFinal: Bool,
        removing removed: () throws -> [EntryName]
    ) throws {
        var isFinal = isFinal
        do {
            let names = try removed()
            if !names.isEmpty {
                isFinal = true
                try noteRemoval(before: generations, of: shard, in: table)
                for name in names { try remove(name, in: table) }
            }
        } catch let unread as UnreadEntries {
            throw unread
        } catch {
            // A removal that fails is over, unlike one that is interrupted.
            try? table.setGenerations(generations, of: shard)
            throw error
        }
        if isFinal {
            try end(generations, of: shard, in: table)
        } else {
            try table.setGenerations(generations, of: shard)
        }
    }

    /// Notes that entries are being removed, unless the disk is full. Without that, a removal that is interrupted stays so.
    private func noteRemoval(before generations: ShardGenerations, of shard: Shard, in table: UsageTable) throws {
        var removal = generations
        removal.isInRemoval = true
        do {
            try table.setGenerations(removal, of: shard)
        } catch let error as SystemError where error.isDiskFull {
            // The removal itself needs no space.
        }
    }

    /// Stores the generations of `shard` after entries were removed. If the disk is full, ends those of all sources.
    private func end(_ generations: ShardGenerations, of shard: Shard, in table: UsageTable) throws {
        do {
            try table.setGenerations(generations, of: shard)
        } catch let error as SystemError where error.isDiskFull {
            try table.endAllGenerations()
        }
    }
}

/// The removal of entries of one source.
private struct SourceRemoval {
    /// The number of entries whose records are read at once under the lock.
    static let quickCount = 4

    let source: MD5Digest
    /// Whether the records have been read in advance.
    let isAhead: Bool
    /// Whether no load may store what it has found before, even if there is nothing to remove.
    var isFinal = false
    /// Returns whether an entry is removed.
    let predicate: (EntryRecord) -> Bool
}

/// The error of a removal that has to read many records, which may take long.
private struct UnreadEntries: Error {}
