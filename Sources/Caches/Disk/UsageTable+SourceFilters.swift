// Filters of sources. They are valid in one file, as seen by one host for as long as its system runs: after a power
// failure, the file may be older than the entries. A copy of the file has another identity, so its filters are not valid.
//
// Only who takes a filter as valid keeps it complete. So whoever does not, and adds an entry, makes it invalid for all. An
// older version that knows no filters, or has them elsewhere in the file, cannot do so, but it counts the entry. So a filter
// is also invalid if the totals of its shard are not those with which it was stored.
extension UsageTable {
    /// The number of words of a filter in the file: its era, its checksum and its bits.
    private static let wordCount = 2 + SourceFilter.wordCount

    private static let byteCount = wordCount * MemoryLayout<UInt64>.stride

    /// The offset of the filters, such that none of them lies across two pages.
    private static let offset = (generationsEnd + byteCount - 1) / byteCount * byteCount

    /// The size of the contents of the file.
    static let end = offset(of: Shard(index: Shard.count))

    /// Returns the filter of `shard`; `nil` if its sources are unknown.
    func sourceFilter(of shard: Shard) throws -> SourceFilter? {
        try validFilter(in: storedFilter(of: shard), totals: totals(of: shard))
    }

    /// Stores the filter of `shard`, if it can be valid here. With `nil`, its sources are unknown from now on, to all hosts.
    func setSourceFilter(_ filter: SourceFilter?, of shard: Shard) throws {
        guard let filter else { return try write([0], of: shard) }
        guard let era else { return }
        try write([era, try filter.words.usageCheck ^ totals(of: shard).check] + filter.words, of: shard)
    }

    /// Keeps the filter of `shard` valid, if it is, although the totals have been changed from `old` to `new`.
    func keepSourceFilter(of shard: Shard, from old: ShardTotals, to new: ShardTotals) throws {
        guard let era, old != new else { return }
        var header = (era: UInt64(0), check: UInt64(0))
        try read(into: &header, at: Self.offset(of: shard))
        guard header.era == era else { return }
        let check = header.check ^ old.check ^ new.check
        let offset = Self.offset(of: shard) + MemoryLayout<UInt64>.stride
        // Without it, the sources are unknown.
        try? unsafe withUnsafeBytes(of: check) { unsafe try write($0, at: offset) }
    }

    /// Adds a source that is about to have an entry in `shard`; `nil` if it is not known which one.
    func add(_ source: MD5Digest?, to shard: Shard) throws {
        let stored = try storedFilter(of: shard)
        guard stored[0] != 0 else { return }
        guard let source, var filter = validFilter(in: stored, totals: try totals(of: shard)) else {
            return try setSourceFilter(nil, of: shard)
        }
        guard !filter.mayContain(source) else { return }
        filter.insert(source)
        try setSourceFilter(filter, of: shard)
    }

    private func storedFilter(of shard: Shard) throws -> [UInt64] {
        var stored = [UInt64](repeating: 0, count: Self.wordCount)
        unsafe try stored.withUnsafeMutableBytes { unsafe try read(into: $0, at: Self.offset(of: shard)) }
        return stored
    }

    private func validFilter(in stored: [UInt64], totals: ShardTotals) -> SourceFilter? {
        let words = stored.dropFirst(2)
        guard let era, stored[0] == era, stored[1] == words.usageCheck ^ totals.check else { return nil }
        return SourceFilter(words: Array(words))
    }

    private func write(_ words: [UInt64], of shard: Shard) throws {
        unsafe try words.withUnsafeBytes { unsafe try write($0, at: Self.offset(of: shard)) }
    }

    private static func offset(of shard: Shard) -> Int { offset + shard.index * byteCount }
}

extension ShardTotals {
    /// A number that differs from that of most other totals.
    fileprivate var check: UInt64 { [UInt64(clamping: byteCount), UInt64(clamping: count)].usageCheck }
}
