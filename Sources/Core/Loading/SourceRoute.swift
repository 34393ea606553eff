public import DarkroomPlatform

/// The route by which the bytes of an original were fetched: each request that led to them, in order.
///
/// It is stored with every entry made from them, so that a cache returns no entry to a request that could not have
/// fetched it itself; ``ImageLoader/permits(_:for:)`` decides. It contains no secrets other than those of a URL.
public struct SourceRoute: Hashable, Sendable, Codable {
    /// One of the requests: the first, or one that followed a redirect.
    public struct Hop: Hashable, Sendable, Codable {
        /// The URL requested, without user and password.
        public var url: URL

        /// The address connected to, such as `192.0.2.1`; `nil` if it is unknown, which counts as not public.
        public var address: String?

        /// The lowercase names of the fields sent that may identify the user, such as `authorization` or `cookie`.
        public var credentials: Set<String>

        /// Creates a hop for a request to `url`.
        public init(url: URL, address: String? = nil, credentials: Set<String> = []) {
            self.url = url
            self.address = address
            self.credentials = credentials
        }
    }

    /// The requests; the last one fetched the bytes. Empty for bytes that the app has stored itself.
    public var hops: [Hop]

    /// Creates a route over `hops`.
    public init(_ hops: [Hop]) { self.hops = hops }

    /// Whether any of the requests may have identified the user.
    public var usesCredentials: Bool { hops.contains { !$0.credentials.isEmpty } }

    /// The same route, without credentials.
    var withoutCredentials: SourceRoute {
        SourceRoute(hops.map { Hop(url: $0.url, address: $0.address) })
    }
}
