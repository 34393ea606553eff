#if HTTP
    #if canImport(FoundationEssentials)
        import FoundationEssentials
    #else
        import Foundation
    #endif

    /// The server that answers a URL: what credentials and cookies are for.
    struct Origin: Hashable, Sendable {
        /// In lower case.
        let scheme, host: String

        /// Never left out.
        let port: Int

        /// The origin of `url`; `nil` when that is no place on the web.
        init?(_ url: URL) {
            guard url.isWeb, let scheme = url.scheme?.lowercased(), let host = url.host?.lowercased(), !host.isEmpty
            else { return nil }
            self.scheme = scheme
            self.host = host
            port = url.port ?? (scheme == "https" ? 443 : 80)
        }
    }

    extension URL {
        /// Whether this is a URL that the loader fetches, or follows a redirect to.
        var isWeb: Bool { ["http", "https"].contains(scheme?.lowercased()) }
    }
#endif
