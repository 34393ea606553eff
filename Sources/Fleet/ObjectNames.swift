import DarkroomCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The names of the objects in which a shared tier stores its entries: `{prefix}/{layout}/{2 hex}/{source}/{variant}`.
///
/// Sources and variants are digests, so that names have a fixed length and reveal nothing. All entries of a source have
/// a common prefix, with which they are removed.
struct ObjectNames: Sendable {
    /// The layout of names and envelopes. Nodes with another layout neither read nor replace the entries.
    private static let layout = "1"

    /// What begins all names.
    let prefix: String

    /// What distinguishes results of encoders that write different files of the same pixels.
    let encoderVersion: String

    /// Everything that a tier with this prefix has stored.
    var all: String { prefix.isEmpty ? "\(Self.layout)/" : "\(prefix)/\(Self.layout)/" }

    /// Returns the name of the entry of `key`.
    func name(of key: CacheKey) -> String {
        source(key.source) + (key.variant.isEmpty ? "o" : digest(key.variant + [encoderVersion]))
    }

    /// Returns the beginning of the names of all entries of `source`.
    func source(_ source: String) -> String {
        let digest = digest([source])
        return all + "\(digest.prefix(2))/\(digest)/"
    }

    /// Returns 32 hexadecimal digits. Different lists of parts have different digests.
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
    /// Two lowercase digits for each byte.
    var hexadecimal: String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}
