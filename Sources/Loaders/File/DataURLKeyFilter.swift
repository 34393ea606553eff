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
        return "data:sha256," + digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}

extension String {
    /// Whether it begins like one. Looks at five bytes, because every load asks.
    fileprivate var isDataURL: Bool { utf8.prefix(5).elementsEqual("data:".utf8) { $0 | 0x20 == $1 | 0x20 } }
}
