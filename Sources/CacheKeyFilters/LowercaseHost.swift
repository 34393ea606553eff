public import DarkroomCore
public import DarkroomPlatform

/// Converts the scheme and the host, which are case-insensitive, to lower case.
///
/// In a host, only the part before a percent sign is converted, because the zone of an IPv6 address is case-sensitive.
public struct LowercaseHost: CacheKeyFilter {
    /// Creates the filter.
    public init() {}

    /// Returns the text with scheme and host in lower case. Everything else is preserved byte for byte.
    public func key(for url: URL, soFar text: String, context: ImageContext) -> String? {
        guard let parts = HostComponents(text) else { return text }
        let name = Substring(parts.host.utf8.prefix { $0 != UInt8(ascii: "%") })
        return parts.scheme.asciiLowercased + parts.beforeHost + name.asciiLowercased
            + parts.host[name.endIndex...] + parts.end
    }
}

extension CacheKeyFilter where Self == LowercaseHost {
    /// Converts the scheme and the host to lower case.
    public static var lowercaseHost: LowercaseHost { LowercaseHost() }
}
