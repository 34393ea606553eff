/// One of the 4096 subfolders of a disk cache. It contains the original and all variants of a source.
struct Shard: Hashable, Sendable {
    /// The number of shards.
    static let count = 4096

    /// All shards in order.
    static var all: some Sequence<Shard> { (0..<count).lazy.map(Shard.init) }

    /// The index, from 0.
    let index: Int

    init(index: Int) { self.index = index }

    /// Creates the shard with the given folder name. Returns `nil` if there is none.
    init?(name: String) {
        guard let index = Int(name, radix: 16), (0..<Self.count).contains(index) else { return nil }
        self.init(index: index)
        guard self.name == name else { return nil }
    }

    /// Creates the shard of the source with this digest.
    init(_ digest: MD5Digest) { index = digest.first12Bits }

    /// Creates the shard of `source`.
    init(ofSource source: String) { self.init(MD5Digest(of: source)) }

    /// The name of the folder: three hexadecimal digits.
    var name: String {
        let index = UInt64(index)
        return unsafe String(unsafeUninitializedCapacity: 3) { digits in
            for position in 0..<3 { unsafe digits[position] = index.hexadecimalDigit(2 - position) }
            return 3
        }
    }
}
