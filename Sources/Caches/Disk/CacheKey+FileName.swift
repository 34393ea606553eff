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
        let (text, pathExtension) = Self.textAndExtension(of: key)
        let digest = MD5Digest(of: text)
        // The text of an original is its source.
        shard = key.variant.isEmpty ? Shard(digest) : Shard(ofSource: key.source)
        fileName = digest.hexadecimal(followedBy: Self.suffix(pathExtension))
    }

    private static func textAndExtension(of key: CacheKey) -> (String, String) {
        if key.variant.isEmpty, let plain = key.source.plainExtension { return (key.source, plain) }
        return key.textAndExtension
    }

    /// Returns a dot and the permitted characters of `pathExtension`, or an empty string if the name would exceed 255
    /// bytes.
    private static func suffix(_ pathExtension: String) -> String {
        var suffix = "."
        if pathExtension.utf8.allSatisfy(isPermitted) {
            suffix += pathExtension
        } else {
            suffix += String(decoding: pathExtension.utf8.filter(isPermitted), as: UTF8.self)
        }
        return (2...255 - MD5Digest.digitCount).contains(suffix.utf8.count) ? suffix : ""
    }

    private static func isPermitted(_ byte: UInt8) -> Bool {
        byte != 0 && byte != UInt8(ascii: ":") && byte != UInt8(ascii: "/")
    }
}

extension String {
    /// Computes the path extension of a key with this text in a fraction of the time. The text must be a web address with
    /// only letters, digits, `-`, `_`, `.` and slashes in its path, and only those and `=&+,;` in its query. Returns `nil`
    /// for any other text.
    var plainExtension: String? {
        let schemeCount = utf8.starts(with: "https://".utf8) ? 8 : utf8.starts(with: "http://".utf8) ? 7 : 0
        guard schemeCount > 0 else { return nil }
        var text = self
        // Contiguous bytes are read in half the time.
        return text.withUTF8 { bytes in
            var (start, dot) = (0, 0)
            let end = unsafe bytes.dropFirst(schemeCount).firstIndex(of: UInt8(ascii: "?")) ?? bytes.count
            for index in bytes.indices {
                switch unsafe bytes[index] {
                case UInt8(ascii: "/") where index < end: start = index + 1
                case UInt8(ascii: ".") where index < end: dot = index + 1
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                    break
                case UInt8(ascii: ":") where index < schemeCount: break
                case UInt8(ascii: "?") where index == end: break
                case UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: "="), UInt8(ascii: "&"), UInt8(ascii: "+"),
                    UInt8(ascii: ","), UInt8(ascii: ";"):
                    guard index > end else { return nil }
                default: return nil
                }
            }
            // The name is before a trailing slash.
            guard start < end else { return nil }
            // A leading dot belongs to the name, and a dot in the host does not belong to the path.
            guard start > schemeCount, dot > start + 1, dot < end else { return "" }
            return unsafe String(decoding: bytes[dot..<end], as: UTF8.self)
        }
    }
}
