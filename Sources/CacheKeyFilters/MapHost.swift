public import DarkroomCore
public import DarkroomPlatform

/// Replaces hosts that serve the same images, such as the shards of a CDN, with a single one.
public struct MapHost: CacheKeyFilter {
    /// The replacements by the lower-case bytes of the host.
    private let hosts: [[UInt8]: String]

    /// Creates a filter that replaces each key with its value: `["img1.example.com": "img.example.com"]`.
    ///
    /// Keys are matched case-insensitively. Each host is looked up once, so chained replacements are not followed.
    public init(_ hosts: [String: String]) {
        let inOrder = hosts.sorted { $0.key < $1.key }.map { (Array($0.key.asciiLowercased.utf8), $0.value) }
        self.hosts = Dictionary(inOrder) { first, _ in first }
    }

    /// Returns the text with the host replaced. Everything else, including the port, is preserved byte for byte.
    public func key(for url: URL, soFar text: String, context: ImageContext) -> String? {
        guard let parts = HostComponents(text), let host = hosts[Array(parts.host.asciiLowercased.utf8)] else {
            return text
        }
        return parts.scheme + parts.beforeHost + host + parts.end
    }
}

extension CacheKeyFilter where Self == MapHost {
    /// Replaces each host that is a key of `hosts` with its value.
    public static func mapHost(_ hosts: [String: String]) -> MapHost { MapHost(hosts) }
}
