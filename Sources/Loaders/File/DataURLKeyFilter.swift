import CChecksum
public import DarkroomCore
public import DarkroomPlatform

/// Replaces data URLs of more than 256 bytes with `data:sha256,` and the digest of their text, which keeps keys short.
public struct DataURLKeyFilter: CacheKeyFilter {
    /// The length up to which a data URL is left unchanged.
    private static let byteLimit = 256

    /// Creates the filter.
    public init() {}

    /// Returns the text, or its digest for a long data URL.
    public func key(for url: URL, soFar text: String, context: ImageContext) -> String? {
        guard text.isDataURL, text.utf8.count > Self.byteLimit else { return text }
        var text = text
        let digest = text.withUTF8 { bytes in
            unsafe [UInt8](unsafeUninitializedCapacity: 32) { digest, count in
                unsafe darkroom_sha256(bytes.baseAddress, bytes.count, digest.baseAddress)
                count = 32
            }
        }
        return "data:sha256," + digest.hexadecimalText
    }
}
