import CChecksum
package import DarkroomPlatform

extension Data {
    /// The first 15 bytes of the SHA-256 of these bytes, in the 20 characters of URL-safe base64 (RFC 4648, section 5).
    ///
    /// That is enough to make collisions of different files infeasible, and needs no padding.
    package var contentDigest: String {
        var text = Data(sha256.prefix(15)).base64EncodedData()
        for index in text.indices { text[index] = text[index].urlSafe }
        return String(decoding: text, as: UTF8.self)
    }

    /// The number of bytes up to which computing a digest is not worth a change of thread. The instructions of the
    /// processor for SHA-256 take 33 µs for 58 KB.
    static let quickDigestByteCount = darkroom_has_sha256() ? 64 << 10 : 16 << 10

    /// The 32 bytes of the SHA-256 of these bytes (RFC 6234).
    package var sha256: [UInt8] {
        unsafe withUnsafeBytes { bytes in
            unsafe [UInt8](unsafeUninitializedCapacity: 32) { digest, count in
                unsafe darkroom_sha256(bytes.baseAddress, bytes.count, digest.baseAddress)
                count = 32
            }
        }
    }
}

extension UInt8 {
    /// The character of URL-safe base64 for a character of base64.
    fileprivate var urlSafe: UInt8 {
        switch self {
        case UInt8(ascii: "+"): UInt8(ascii: "-")
        case UInt8(ascii: "/"): UInt8(ascii: "_")
        default: self
        }
    }
}
