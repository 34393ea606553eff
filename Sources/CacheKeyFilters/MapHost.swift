public import DarkroomCore

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Puts one host in the place of others that have the same pictures, such as the shards of a delivery network.
public struct MapHost: CacheKeyFilter {
    /// By the bytes of the host to find, in small letters.
    private let hosts: [[UInt8]: String]

    /// Puts the value in the place of the key: `["img1.example.com": "img.example.com"]`.
    ///
    /// Letter case does not count in the hosts to find. Each text is looked up once, so chains of hosts are not followed.
    public init(_ hosts: [String: String]) {
        let inOrder = hosts.sorted { $0.key < $1.key }.map { (Array($0.key.asciiLowercased.utf8), $0.value) }
        self.hosts = Dictionary(inOrder) { first, _ in first }
    }

    /// The text with the other host; all else stays, byte for byte, the port included.
    public func key(for url: URL, soFar text: String, context: ImageContext) -> String? {
        guard let parts = HostText(text), let host = hosts[Array(parts.host.asciiLowercased.utf8)] else { return text }
        return parts.scheme + parts.beforeHost + host + parts.end
    }
}

extension CacheKeyFilter where Self == MapHost {
    /// Puts the value in the place of the host that is its key.
    public static func mapHost(_ hosts: [String: String]) -> MapHost { MapHost(hosts) }
}
