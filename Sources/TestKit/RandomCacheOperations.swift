import DarkroomCore
import DarkroomPlatform

/// A random sequence of calls of a data cache, with entries whose integrity can be verified from their contents.
struct RandomCacheOperations {
    /// The number of keys in use.
    static let keyCount = 6

    private var random: SeededGenerator

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    static func key(_ index: Int) -> CacheKey { CacheKey(source: "https://example.com/random/\(index).png") }

    /// Returns an entry for the key at `index`, with `byteCount` bytes of value `byte`; its metadata repeats these
    /// numbers.
    static func entry(_ index: Int, byte: UInt8, byteCount: Int) -> DataEntry {
        var metadata = DataEntry.Metadata.bare
        metadata.extendedData = Data("\(index) \(byte) \(byteCount)".utf8)
        return DataEntry(Data(repeating: byte, count: byteCount), metadata: metadata)
    }

    /// Throws a violation unless `entry` is `nil` or an intact entry of the key at `index`.
    static func check(_ entry: DataEntry?, at index: Int, of subject: Subject, circumstances: String) throws {
        guard let entry else { return }
        let text = entry.metadata.extendedData.map { String(decoding: $0, as: UTF8.self) } ?? ""
        let numbers = text.split(separator: " ").compactMap { Int($0) }
        guard numbers.count == 3 else { throw subject.violation("an entry has lost its metadata \(circumstances)") }
        try subject.require(numbers[0] == index, "an entry is that of another key \(circumstances)")
        try subject.require(
            numbers[2] == entry.data.count && entry.data.allSatisfy { Int($0) == numbers[1] },
            "an entry is torn \(circumstances)")
    }

    /// Performs one random call. Errors count as a miss, or as a failed store.
    mutating func step(on cache: any DataCache, of subject: Subject) async throws {
        let index = Int.random(in: 0..<Self.keyCount, using: &random)
        let byte = UInt8.random(in: 0...255, using: &random)
        // Writing a long entry takes longer.
        let byteCount = Int.random(in: 1...3, using: &random) == 1 ? 150_000 : Int.random(in: 0..<6_000, using: &random)
        switch Int.random(in: 0..<10, using: &random) {
        case 0: try? await cache.remove(Self.key(index))
        case 1: _ = try? await cache.contains(Self.key(index))
        case 2...5:
            try Self.check(
                try? await cache.entry(for: Self.key(index)), at: index, of: subject,
                circumstances: "while others write")
        default:
            try? await cache.store(Self.entry(index, byte: byte, byteCount: byteCount), for: Self.key(index))
        }
    }
}
