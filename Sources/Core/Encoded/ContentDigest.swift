import CChecksum

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension Data {
    /// The first 15 bytes of the SHA-256 of these bytes, in the 20 characters of URL-safe base64 (RFC 4648, section 5).
    ///
    /// That is enough to make collisions of different files infeasible, and needs no padding.
    var contentDigest: String {
        let digest = unsafe withUnsafeBytes { bytes in
            unsafe [UInt8](unsafeUninitializedCapacity: 32) { digest, count in
                unsafe darkroom_sha256(bytes.baseAddress, bytes.count, digest.baseAddress)
                count = 32
            }
        }
        var text = Data(digest.prefix(15)).base64EncodedString()
        text.replace("+", with: "-")
        text.replace("/", with: "_")
        return text
    }
}
