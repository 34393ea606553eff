import DarkroomCore

// Generations: each is that of all sources in a shard. It ends under the lock under which entries are removed and stored.
extension EntryDirectory {
    /// Returns a ticket of the generation of the source with this digest. With that of a folder that may only be read,
    /// nothing is stored.
    func ticket(of source: MD5Digest) throws -> StoreTicket {
        try usage.withLock { table in
            table.refusal == nil ? try generation(of: Shard(source), in: table).ticket : .refused
        }
    }

    /// Starts the generation of `response`, and removes the entries for which `predicate` returns true: those of its source
    /// with another revision. Returns `nil` if there is a newer generation. Throws in a folder that may only be read if
    /// the response replaces entries, which stay.
    func startGeneration(
        of response: SourceResponse, after ticket: StoreTicket?, removing predicate: (EntryName) throws -> Bool
    ) throws -> StoreTicket? {
        let source = MD5Digest(of: response.source)
        let hashed = SourceGeneration.Response(
            source: source.last64Bits, revision: response.revision.map { MD5Digest(of: $0).last64Bits } ?? 0,
            moment: response.moment)
        return try usage.withLock { table in
            let shard = Shard(source)
            if let refusal = table.refusal {
                guard ticket == nil, try listed(shard).contains(where: { try predicate($0.name) }) else {
                    return .refused
                }
                throw refusal
            }
            var generation = try generation(of: shard, in: table)
            let start = generation.start(hashed, after: ticket)
            if start.removesEntries {
                try begin(generation, of: shard, removing: predicate, in: table)
            } else if start.ticket != nil {
                try table.setGeneration(generation, of: shard)
            }
            return start.ticket
        }
    }

    /// Removes the entries of `source` for which `predicate` returns true, and refuses stores of loads that began before.
    func removeEntries(of source: MD5Digest, where predicate: (EntryName) throws -> Bool) throws {
        try usage.withLock { table in
            let shard = Shard(source)
            var generation = try generation(of: shard, in: table)
            generation.end(of: source.last64Bits)
            try begin(generation, of: shard, removing: predicate, in: table)
        }
    }

    /// Removes an entry of `source`, if there is one, and refuses stores of loads that began before.
    func removeEntry(_ name: EntryName?, of source: MD5Digest) throws {
        try usage.withLock { table in
            var generation = try generation(of: Shard(source), in: table)
            generation.end(of: source.last64Bits)
            try table.setGeneration(generation, of: Shard(source))
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
        try usage.withLock { table in _ = try generation(of: shard, in: table) }
    }

    /// Ends the removals that were interrupted.
    func endRemovals(in table: UsageTable) throws {
        for shard in try table.shardsInRemoval() { _ = try generation(of: shard, in: table) }
    }

    /// Returns the generation of `shard`. Removes all entries first if an earlier removal was interrupted.
    func generation(of shard: Shard, in table: UsageTable) throws -> SourceGeneration {
        var generation = try table.generation(of: shard)
        guard generation.isInRemoval else { return generation }
        generation.number += 1
        try begin(generation, of: shard, removing: { _ in true }, in: table)
        return generation
    }

    private func begin(
        _ generation: SourceGeneration, of shard: Shard, removing predicate: (EntryName) throws -> Bool,
        in table: UsageTable
    ) throws {
        // A removal that fails is over, unlike one that is interrupted.
        defer { try? table.setGeneration(generation, of: shard) }
        let removed = try listed(shard).filter { try predicate($0.name) }
        guard !removed.isEmpty else { return try table.setGeneration(generation, of: shard) }
        var removal = generation
        removal.number -= 1
        try table.setGeneration(removal, of: shard)
        for entry in removed { try remove(entry.name, in: table) }
    }
}
