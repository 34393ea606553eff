public import DarkroomCore

extension CacheKey {
    /// The name of its file in a disk cache, which is SDWebImage's: the MD5 digest of the text form, and its extension.
    public var fileName: String {
        let digest = MD5Digest(of: description).hexadecimal
        let pathExtension = fileNameExtension
        return pathExtension.isEmpty ? digest : "\(digest).\(pathExtension)"
    }

    /// What may stand in a file name of at most 255 bytes behind a digest and a dot.
    private var fileNameExtension: String {
        let kept = pathExtension.utf8.filter { ![0, UInt8(ascii: ":"), UInt8(ascii: "/")].contains($0) }
        return kept.count <= 255 - 32 - 1 ? String(decoding: kept, as: UTF8.self) : ""
    }
}

/// Where the entry of a key lies in a disk cache.
struct EntryName: Hashable, Sendable {
    let shard: Shard
    let fileName: String
}

extension EntryName {
    init(_ key: CacheKey) { self.init(shard: Shard(ofSource: key.source), fileName: key.fileName) }
}
