import DarkroomCore
import DarkroomPlatform

/// The names of a shared tier's objects: `{prefix}/{layout}/{2 hex}/{source}/{variant}`.
///
/// Sources and variants are hashed, so names have a fixed length and reveal nothing. All entries of a source share a
/// prefix, by which they are removed.
struct ObjectNames: Sendable {
    /// The version of names and envelopes. Nodes with another version neither read nor replace these objects.
    private static let layout = "1"

    /// The prefix of all names.
    let prefix: String

    /// The version of the encoders, which distinguishes files that differ although their pixels are equal.
    let encoderVersion: String

    /// The common prefix of all objects of this layout.
    var all: String { prefix.isEmpty ? "\(Self.layout)/" : "\(prefix)/\(Self.layout)/" }

    /// Returns the name of the object for `key`.
    func name(of key: CacheKey) -> String {
        source(key.source) + (key.variant.isEmpty ? "o" : digest(key.variant + [encoderVersion]))
    }

    /// Returns the common prefix of the objects of `source`.
    func source(_ source: String) -> String {
        let digest = digest([source])
        return all + "\(digest.prefix(2))/\(digest)/"
    }

    /// Returns 32 hexadecimal digits, which differ for different lists of parts.
    private func digest(_ parts: [String]) -> String {
        var bytes = Data()
        for part in parts {
            unsafe withUnsafeBytes(of: UInt64(part.utf8.count).bigEndian) { unsafe bytes.append(contentsOf: $0) }
            bytes.append(contentsOf: part.utf8)
        }
        return bytes.sha256.prefix(16).hexadecimal
    }
}

extension Sequence<UInt8> {
    /// The bytes as lowercase hexadecimal digits.
    var hexadecimal: String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}
