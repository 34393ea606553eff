import DarkroomCore
import DarkroomFiles

// Generations.
extension UsageTable {
    /// Returns the generations of `shard`. If they are damaged, ends those of all sources: which loads began before a
    /// removal is not known any more.
    func generations(of shard: Shard) throws -> ShardGenerations {
        let generations = try storedGenerations(of: shard).generations
        guard generations.isDamaged, refusal == nil else { return generations }
        try endAllGenerations()
        // If the disk is full, they end again when they are read again.
        try? setGenerations(ShardGenerations(), of: shard)
        return ShardGenerations()
    }

    private func storedGenerations(of shard: Shard) throws -> StoredGenerations {
        var stored = StoredGenerations()
        try read(into: &stored, at: Self.generationsOffset(of: shard))
        return stored
    }

    /// Stores the generations of `shard`.
    func setGenerations(_ generations: ShardGenerations, of shard: Shard) throws {
        let offset = Self.generationsOffset(of: shard)
        do {
            unsafe try withUnsafeBytes(of: StoredGenerations(generations)) { unsafe try write($0, at: offset) }
        } catch {
            // If only a part was written, the numbers begin again, and tickets of ended generations would be valid.
            if try !storedGenerations(of: shard).isIntact { try endAllGenerations() }
            throw error
        }
    }

    /// Returns the shards whose entries are being removed, or whose generations are damaged.
    func unfinishedShards() throws -> [Shard] {
        try Self.groups.flatMap { group in
            try zip(group, generations(of: group)).filter { $1.isInRemoval || $1.isDamaged }.map(\.0)
        }
    }

    /// Begins the removal of all entries at `now`. Shards without a folder have none.
    func beginRemoval(ofAll shards: Set<Shard>, at now: LoadMoment) throws {
        for group in Self.groups {
            var generations = try generations(of: group)
            if generations.contains(where: \.isDamaged) { try endAllGenerations() }
            for (index, shard) in group.enumerated() {
                generations[index].slot.endAll(at: now)
                // Another process may have begun a removal that is not over.
                if shards.contains(shard) { generations[index].isInRemoval = true }
            }
            let stored = generations.map { StoredGenerations($0) }
            unsafe try stored.withUnsafeBytes { unsafe try write($0, at: Self.generationsOffset(of: group[0])) }
        }
    }

    /// All shards, in groups whose generations take 54 KiB. Those of all shards at once take most of a megabyte.
    private static var groups: some Sequence<[Shard]> {
        stride(from: 0, to: Shard.count, by: 256).lazy.map { ($0..<$0 + 256).map(Shard.init) }
    }

    private func generations(of group: [Shard]) throws -> [ShardGenerations] {
        var stored = Array(repeating: StoredGenerations(), count: group.count)
        unsafe try stored.withUnsafeMutableBytes { unsafe try read(into: $0, at: Self.generationsOffset(of: group[0])) }
        return stored.map(\.generations)
    }

    /// The offset of what follows the generations.
    static let generationsEnd = generationsOffset(of: Shard(index: Shard.count))

    private static func generationsOffset(of shard: Shard) -> Int {
        generationsOffset + shard.index * MemoryLayout<StoredGenerations>.stride
    }
}

// The end of all generations, for which no disk space is needed.
extension UsageTable {
    private static let numberBitCount = 64 - 2 - EndCount.bitCount

    /// Ends the generations of all sources, so that no load may store what it has found before.
    func endAllGenerations() throws { try setEndCount(try endCount().next) }

    /// Prepares the file for tickets: a new one gets the count of the tickets that were taken without it. In another one, the
    /// generations end if entries were removed without it.
    func begin(afterRemoval: Bool) throws {
        if try file?.status().byteCount == 0 {
            try setEndCount(countWithoutFile)
        } else if afterRemoval {
            try endAllGenerations()
        }
    }

    /// Returns a ticket of the current generation of the source with this hash, in `generations` of its shard.
    func ticket(of source: UInt64, in generations: ShardGenerations) throws -> StoreTicket {
        let ticket = generations.slot.ticket(of: source)
        let number = Self.number(in: ticket.generation ?? 0) | UInt64(try endCount().value) << Self.numberBitCount
        return StoreTicket(generation: number, newestLoad: ticket.newestLoad)
    }

    /// Returns whether `ticket` permits to store something of the source with this hash.
    func permits(_ ticket: StoreTicket, for source: UInt64, in generations: ShardGenerations) throws -> Bool {
        guard let ticket = try slotTicket(ticket, in: generations) else { return false }
        return generations.slot.permits(ticket, for: source)
    }

    /// Returns the ticket with which the slot of a shard compares its generations; `nil` if all of them have ended since.
    func slotTicket(_ ticket: StoreTicket, in generations: ShardGenerations) throws -> StoreTicket? {
        guard let generation = ticket.generation, !ticket.isRefused else { return ticket }
        let endCount = try endCount()
        // A ticket of a file that was deleted with its folder.
        if generations.isNew, endCount.isFirst { return .unchecked }
        guard generation >> Self.numberBitCount == UInt64(endCount.value) else { return nil }
        return StoreTicket(generation: Self.number(in: generation), newestLoad: ticket.newestLoad)
    }

    private func endCount() throws -> EndCount {
        guard let file else { return countWithoutFile }
        return EndCount(value: try file.status().byteCount - Self.end)
    }

    private func setEndCount(_ count: EndCount) throws {
        try requireWriting()
        try file?.setLength(Self.end + count.value)
    }

    private static func number(in generation: UInt64) -> UInt64 { generation & ((1 << numberBitCount) - 1) }
}
