/// The sources that may have entries in a shard, as a Bloom filter.
///
/// It saves opening all files of the shard for a source that has none. A source is added before its first entry appears.
/// It remains when its entries are gone, until a filter is made of the entries that are left.
struct SourceFilter: Equatable, Sendable {
    /// The number of words. In a shard of 200 sources, as in a cache of 800,000, one source in a thousand is taken for
    /// one that has entries; in a shard of 600, one in twenty.
    static let wordCount = 62

    /// The bits.
    private(set) var words: [UInt64]

    /// Creates the filter of a shard without entries.
    init() { words = Array(repeating: 0, count: Self.wordCount) }

    /// Creates a filter with these bits, in `wordCount` words.
    init(words: [UInt64]) { self.words = words }

    /// Returns whether the source with this digest may have entries.
    func mayContain(_ source: MD5Digest) -> Bool {
        Self.positions(of: source).allSatisfy { words[$0.word] & $0.bit != 0 }
    }

    /// Adds a source.
    mutating func insert(_ source: MD5Digest) {
        for position in Self.positions(of: source) { words[position.word] |= position.bit }
    }

    /// Returns the bits of a source: one for each 16 bits of a half of its digest, whose bits are independent.
    private static func positions(of source: MD5Digest) -> some Sequence<(word: Int, bit: UInt64)> {
        (0..<4).lazy.map { part in
            let hash = UInt16(truncatingIfNeeded: source.last64Bits &>> UInt64(16 &* part))
            let position = Int(hash) % (wordCount * UInt64.bitWidth)
            return (position / UInt64.bitWidth, 1 << UInt64(position % UInt64.bitWidth))
        }
    }
}
