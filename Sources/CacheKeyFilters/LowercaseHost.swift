public import DarkroomCore

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Writes scheme and host in small letters, since letter case means nothing there.
///
/// In a host, only what stands before an escape is changed: the zone of an address of version 6 does have letter case.
public struct LowercaseHost: CacheKeyFilter {
    /// A filter that writes small letters.
    public init() {}

    /// The text with scheme and host in small letters; all else stays, byte for byte.
    public func key(for url: URL, soFar text: String, context: ImageContext) -> String? {
        guard let parts = HostText(text) else { return text }
        let name = Substring(parts.host.utf8.prefix { $0 != UInt8(ascii: "%") })
        return parts.scheme.asciiLowercased + parts.beforeHost + name.asciiLowercased
            + parts.host[name.endIndex...] + parts.end
    }
}

extension CacheKeyFilter where Self == LowercaseHost {
    /// Writes scheme and host in small letters.
    public static var lowercaseHost: LowercaseHost { LowercaseHost() }
}
