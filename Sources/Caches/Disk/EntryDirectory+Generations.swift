import DarkroomCore

// Generations. They end under the lock under which entries are removed and stored.
extension EntryDirectory {
    /// Returns a ticket of the generation of the source with this digest. With that of a folder that may only be read,
    /// nothing is stored.
    func ticket(of source: MD5Digest) throws -> StoreTicket {
        try usage.withLock { table in
            guard table.refusal == nil else { return .refused }
            return try generations(of: Shard(source), in: table).slot.ticket(of: source.last64Bits)
        }
    }

    /// Starts the generation of `response`, and removes the entries of its source with another revision. Returns `nil` if
    /// there is a newer generation. Throws in a folder that may only be read if the response replaces entries, which stay.
    func startGeneration(of response: SourceResponse, after ticket: StoreTicket?) throws -> StoreTicket? {
        let source = MD5Digest(of: response.source)
        let hashed = GenerationSlot.Response(
            source: source.last64Bits, revision: response.revision.map { MD5Digest(of: $0).last64Bits } ?? 0,
            moment: response.moment)
        func isReplaced(_ record: EntryRecord) -> Bool {
            let isOfRevision = response.revision.map { $0 == record.metadata.original?.revision } ?? false
            return response.replaces(record.key) && !isOfRevision
        }
        let shard = Shard(source)
        return try withLock(readingAhead: shard) { table, isAhead in
            if let refusal = table.refusal {
                guard ticket == nil, try listed(shard).contains(where: { try hasRecord($0.name, where: isReplaced) })
                else {
                    return .refused
                }
                throw refusal
            }
            var generations = try generations(of: shard, in: table)
            let start = generations.slot.start(hashed, after: ticket)
            if start.removesEntries {
                let removal = SourceRemoval(source: source, isAhead: isAhead, predicate: isReplaced)
                try begin(generations, with: removal, in: table)
            } else if start.ticket != nil {
                try table.setGenerations(generations, of: shard)
            }
            return start.ticket
        }
    }

    /// Removes the entries of `source`, and refuses stores of loads that began before.
    func removeEntries(of source: String) throws {
        let digest = MD5Digest(of: source)
        try withLock(readingAhead: Shard(digest)) { table, isAhead in
            var generations = try generations(of: Shard(digest), in: table)
            generations.slot.end(of: digest.last64Bits)
            let removal = SourceRemoval(source: digest, isAhead: isAhead) { $0.key.source == source }
            try begin(generations, with: removal, in: table)
        }
    }

    /// Runs `body` with the locked table. If it throws `UnreadEntries`, reads the records of `shard` without the lock, for
    /// which all other operations wait, and runs it again.
    private func withLock<Result: Sendable>(
        readingAhead shard: Shard, _ body: (_ table: UsageTable, _ isAhead: Bool) throws -> Result
    ) throws -> Result {
        do {
            return try usage.withLock { try body($0, false) }
        } catch is UnreadEntries {
            for entry in (try? listed(shard)) ?? [] { _ = try? hasRecord(entry.name) { _ in true } }
            return try usage.withLock { try body($0, true) }
        }
    }

    /// Returns whether `predicate` holds for the record of an entry, or the entry is damaged.
    func hasRecord(_ name: EntryName, where predicate: (EntryRecord) -> Bool) throws -> Bool {
        guard let file = try open(name) else { return false }
        return try file.recordMatches(predicate) ?? true
    }

    /// Removes an entry of `source`, if there is one, and refuses stores of loads that began before.
    func removeEntry(_ name: EntryName?, of source: MD5Digest) throws {
        try usage.withLock { table in
            var generations = try generations(of: Shard(source), in: table)
            generations.slot.end(of: source.last64Bits)
            try table.setGenerations(generations, of: Shard(source))
            if let name { try remove(name, in: table) }
        }
    }

    /// Begins the removal of all entries, and returns the shards that have some. Stores of loads that began before are
    /// refused.
    func beginRemoval() throws -> Set<Shard> {
        try usage.withLock { table in
            let shards = try shards(in: table)
            try table.beginRemoval(ofAll: shards)
            return shards
        }
    }

    /// Ends the removal of the entries of `shard`, unless that was done already.
    func endRemoval(of shard: Shard) throws {
        try usage.withLock { table in _ = try generations(of: shard, in: table) }
    }

    /// Ends the removals that were interrupted.
    func endRemovals(in table: UsageTable) throws {
        for shard in try table.shardsInRemoval() { _ = try generations(of: shard, in: table) }
    }

    /// Returns whether `new` may be written: its ticket is current, or not checked.
    func permits(_ new: NewFile, in table: UsageTable) throws -> Bool {
        let generations = try generations(of: new.name.shard, in: table)
        guard let source = new.source else { return true }
        return generations.slot.permits(new.ticket, for: source.last64Bits)
    }

    /// Returns the generations of `shard`. Removes all entries first if an earlier removal was interrupted.
    private func generations(of shard: Shard, in table: UsageTable) throws -> ShardGenerations {
        var generations = try table.generations(of: shard)
        guard generations.isInRemoval else { return generations }
        generations.isInRemoval = false
        try begin(generations, of: shard, in: table) { try listed(shard).map(\.name) }
        // Without it, the filter also has sources whose entries are gone.
        try? table.setSourceFilter(SourceFilter(), of: shard)
        return generations
    }

    /// Begins generations of a shard after `removal`.
    ///
    /// Reads all entries of the shard unless the source has none. With that, a filter is made of the entries that are left,
    /// and damaged entries are removed, which may be of the source.
    private func begin(_ generations: ShardGenerations, with removal: SourceRemoval, in table: UsageTable) throws {
        let shard = Shard(removal.source)
        if try table.sourceFilter(of: shard)?.mayContain(removal.source) == false {
            return try table.setGenerations(generations, of: shard)
        }
        var filter = SourceFilter()
        try begin(generations, of: shard, in: table) {
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

    /// Begins generations of a shard after the removal of what `removed` returns.
    private func begin(
        _ generations: ShardGenerations, of shard: Shard, in table: UsageTable,
        removing removed: () throws -> [EntryName]
    ) throws {
        do {
            let names = try removed()
            if !names.isEmpty {
                var removal = generations
                removal.isInRemoval = true
                try table.setGenerations(removal, of: shard)
                for name in names { try remove(name, in: table) }
            }
        } catch let unread as UnreadEntries {
            throw unread
        } catch {
            // A removal that fails is over, unlike one that is interrupted.
            try? table.setGenerations(generations, of: shard)
            throw error
        }
        try table.setGenerations(generations, of: shard)
    }
}

/// The removal of entries of one source.
private struct SourceRemoval {
    /// The number of entries whose records are read at once under the lock.
    static let quickCount = 4

    let source: MD5Digest
    /// Whether the records have been read in advance.
    let isAhead: Bool
    /// Returns whether an entry is removed.
    let predicate: (EntryRecord) -> Bool
}

/// The error of a removal that has to read many records, which may take long.
private struct UnreadEntries: Error {}
