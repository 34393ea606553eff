#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// How the bytes of an original were reached: each request that led to them, in order.
///
/// It is kept beside everything made of them, so that a cache hands out nothing to a request that could not have reached it
/// itself: `ImageLoader.permits(_:for:)` decides. No secret is in it, save what a URL may hold.
public struct SourceReach: Hashable, Sendable, Codable {
    /// One of the requests: the first, or one that a redirect led to.
    public struct Hop: Hashable, Sendable, Codable {
        /// The URL that was asked, without user and password.
        public var url: URL

        /// The address that was connected to, such as `192.0.2.1`; `nil` when it is not known, which counts as not public.
        public var address: String?

        /// The names of what was sent that may tell who asks, such as `authorization` or `cookie`, in lower case.
        public var credentials: Set<String>

        /// A request to `url`.
        public init(url: URL, address: String? = nil, credentials: Set<String> = []) {
            self.url = url
            self.address = address
            self.credentials = credentials
        }
    }

    /// The requests, the last of which brought the bytes.
    public var hops: [Hop]

    /// The way over `hops`.
    public init(_ hops: [Hop]) { self.hops = hops }

    /// Whether one of the requests may have told who asked.
    public var usesCredentials: Bool { hops.contains { !$0.credentials.isEmpty } }

    /// The same way, as if nobody had told who asks.
    var withoutCredentials: SourceReach {
        SourceReach(hops.map { Hop(url: $0.url, address: $0.address) })
    }
}
