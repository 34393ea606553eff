/// One of the 4096 folders of a disk cache. All that is made of one source lies in one of them.
struct Shard: Hashable, Sendable {
    /// How many there are.
    static let count = 4096

    /// Every one, in order.
    static var all: some Sequence<Shard> { (0..<count).lazy.map(Shard.init) }

    /// Which one, from 0.
    let index: Int

    init(index: Int) { self.index = index }

    /// The shard whose folder has this name; `nil` for any other name.
    init?(name: String) {
        guard let index = Int(name, radix: 16), (0..<Self.count).contains(index) else { return nil }
        self.init(index: index)
        guard self.name == name else { return nil }
    }

    /// The shard of all that is made of the source with this digest.
    init(_ digest: MD5Digest) { index = digest.first12Bits }

    /// The shard of all that is made of `source`.
    init(ofSource source: String) { self.init(MD5Digest(of: source)) }

    /// The folder's name: three hexadecimal digits.
    var name: String {
        let index = UInt64(index)
        return String(decoding: [2, 1, 0].map { index.hexadecimalDigit($0) }, as: UTF8.self)
    }
}
