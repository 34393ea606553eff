import Crypto
public import DarkroomCore

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Replaces data URLs of more than 256 bytes with `data:sha256,` and the digest of their text, which keeps keys short.
public struct DataURLKeyFilter: CacheKeyFilter {
    /// The length up to which a data URL is left unchanged.
    private static let byteLimit = 256

    /// Creates the filter.
    public init() {}

    /// Returns the text, or its digest for a long data URL.
    public func key(for url: URL, soFar text: String, context: ImageContext) -> String? {
        guard text.isDataURL, text.utf8.count > Self.byteLimit else { return text }
        let digest = SHA256.hash(data: Data(text.utf8))
        return "data:sha256," + digest.hexadecimalText
    }
}
