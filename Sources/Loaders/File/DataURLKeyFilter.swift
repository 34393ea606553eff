import Crypto
public import DarkroomCore

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Replaces data URLs over 256 bytes by `data:sha256,` and the digest of their text, so that keys stay small.
public struct DataURLKeyFilter: CacheKeyFilter {
    /// The length up to which a data URL stays as it is.
    private static let byteLimit = 256

    /// A filter of data URLs.
    public init() {}

    /// The text so far, or its digest.
    public func key(for url: URL, soFar text: String, context: ImageContext) -> String? {
        guard text.isDataURL, text.utf8.count > Self.byteLimit else { return text }
        let digest = SHA256.hash(data: Data(text.utf8))
        return "data:sha256," + digest.hexadecimalText
    }
}
