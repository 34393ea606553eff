// Filters of sources. They are valid for as long as the system runs: after a power failure, the file may be older than the
// entries. A copy of the file has another identity, so its filters are not valid.
extension UsageTable {
    /// The number of words of a filter in the file: its era, its checksum and its bits.
    private static let wordCount = 2 + SourceFilter.wordCount

    private static let byteCount = wordCount * MemoryLayout<UInt64>.stride

    /// The offset of the filters, such that none of them lies across two pages.
    private static let offset = (generationsEnd + byteCount - 1) / byteCount * byteCount

    /// Returns the filter of `shard`; `nil` if its sources are unknown.
    func sourceFilter(of shard: Shard) throws -> SourceFilter? {
        guard let era else { return nil }
        var stored = [UInt64](repeating: 0, count: Self.wordCount)
        unsafe try stored.withUnsafeMutableBytes { unsafe try read(into: $0, at: Self.offset(of: shard)) }
        let words = stored.dropFirst(2)
        guard stored[0] == era, stored[1] == words.usageCheck else { return nil }
        return SourceFilter(words: Array(words))
    }

    /// Stores the filter of `shard`. With `nil`, its sources are unknown from now on.
    func setSourceFilter(_ filter: SourceFilter?, of shard: Shard) throws {
        guard let era else { return }
        let words = filter.map { [era, $0.words.usageCheck] + $0.words } ?? [0]
        unsafe try words.withUnsafeBytes { unsafe try write($0, at: Self.offset(of: shard)) }
    }

    /// Adds a source that is about to have an entry in `shard`; `nil` if it is not known which one.
    func add(_ source: MD5Digest?, to shard: Shard) throws {
        guard var filter = try sourceFilter(of: shard) else { return }
        guard let source else { return try setSourceFilter(nil, of: shard) }
        guard !filter.mayContain(source) else { return }
        filter.insert(source)
        try setSourceFilter(filter, of: shard)
    }

    private static func offset(of shard: Shard) -> Int { offset + shard.index * byteCount }
}
