public import DarkroomCore

extension CacheKey {
    /// The name of its file in a disk cache, which is SDWebImage's: the MD5 digest of the text form, and its extension.
    public var fileName: String { EntryName(self).fileName }
}

/// Where the entry of a key lies in a disk cache.
struct EntryName: Hashable, Sendable {
    let shard: Shard
    let fileName: String

    /// The file name without its extension.
    var digest: String { String(fileName.prefix(MD5Digest.digitCount)) }
}

extension EntryName {
    init(_ key: CacheKey) {
        // As a source of its own, the text need not be put together again for its extension.
        let text = CacheKey(source: key.description)
        let digest = MD5Digest(of: text.source)
        shard = key.variant.isEmpty ? Shard(index: digest.first12Bits) : Shard(ofSource: key.source)
        fileName = digest.hexadecimal + Self.suffix(text.pathExtension)
    }

    /// A dot and what of `pathExtension` may stand in a file name; nothing when the name would pass 255 bytes.
    private static func suffix(_ pathExtension: String) -> String {
        let kept = pathExtension.utf8.filter { $0 != 0 && $0 != UInt8(ascii: ":") && $0 != UInt8(ascii: "/") }
        let isShort = kept.count < 255 - MD5Digest.digitCount
        return kept.isEmpty || !isShort ? "" : "." + String(decoding: kept, as: UTF8.self)
    }
}
