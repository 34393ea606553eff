public import DarkroomCore

extension CacheKey {
    /// The name of the file in a disk cache, the same as SDWebImage's: the MD5 digest of the text form, and its
    /// extension.
    public var fileName: String { EntryName(self).fileName }
}

/// The location of the entry of a key in a disk cache.
struct EntryName: Hashable, Sendable {
    let shard: Shard
    let fileName: String

    /// The file name without its extension.
    var digest: String { String(Substring(fileName.utf8.prefix(MD5Digest.digitCount))) }
}

extension EntryName {
    /// Creates the entry name of a file in the folder of `shard`. Returns `nil` if no cache names its files like this.
    init?(fileName: String, in shard: Shard) {
        let (digest, rest) = (fileName.utf8.prefix(MD5Digest.digitCount), fileName.utf8.dropFirst(MD5Digest.digitCount))
        let isDigest =
            digest.count == MD5Digest.digitCount
            && digest.allSatisfy { $0.hexDigitValue != nil && $0.asciiLowercased == $0 }
        guard isDigest, rest.isEmpty || (rest.first == UInt8(ascii: ".") && rest.count > 1) else { return nil }
        self.init(shard: shard, fileName: fileName)
    }

    init(_ key: CacheKey) {
        let text = key.description
        let digest = MD5Digest(of: text)
        // The text of an original is its source.
        shard = key.variant.isEmpty ? Shard(digest) : Shard(ofSource: key.source)
        fileName = digest.hexadecimal(followedBy: Self.suffix(Self.pathExtension(of: key, text: text)))
    }

    /// Returns the extension of `text`, the text form of `key`: that of the source if it has one.
    private static func pathExtension(of key: CacheKey, text: String) -> String {
        if let plain = key.source.plainExtension, key.variant.isEmpty || !plain.isEmpty { return plain }
        return text.extensionAsKey
    }

    /// Returns a dot and the permitted characters of `pathExtension`, or an empty string if the name would exceed 255
    /// bytes.
    private static func suffix(_ pathExtension: String) -> String {
        let permitted = pathExtension.utf8.filter { $0 != 0 && $0 != UInt8(ascii: ":") && $0 != UInt8(ascii: "/") }
        let isShort = permitted.count < 255 - MD5Digest.digitCount
        return permitted.isEmpty || !isShort ? "" : "." + String(decoding: permitted, as: UTF8.self)
    }
}

extension String {
    /// The extension that `CacheKey` derives from a key with this text form. Using the text as a source avoids building
    /// it again.
    var extensionAsKey: String { CacheKey(source: self).pathExtension }

    /// Computes the same in a fraction of the time for a web address of only letters, digits, `-`, `_`, `.` and
    /// slashes. Returns `nil` for any other text.
    var plainExtension: String? {
        let schemeCount = utf8.starts(with: "https://".utf8) ? 8 : utf8.starts(with: "http://".utf8) ? 7 : 0
        guard schemeCount > 0, utf8.last != UInt8(ascii: "/") else { return nil }
        var text = self
        // Contiguous bytes are read in half the time.
        return text.withUTF8 { bytes in
            var (start, dot) = (0, 0)
            for index in bytes.indices {
                switch unsafe bytes[index] {
                case UInt8(ascii: "/"): start = index + 1
                case UInt8(ascii: "."): dot = index + 1
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                    break
                case UInt8(ascii: ":") where index < schemeCount: break
                default: return nil
                }
            }
            // A leading dot belongs to the name, and a dot in the host does not belong to the path.
            guard start > schemeCount, dot > start + 1, dot < bytes.count else { return "" }
            return unsafe String(decoding: bytes[dot...], as: UTF8.self)
        }
    }
}
