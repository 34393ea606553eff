#if HTTP
    import DarkroomCore

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
            // A bracket that belongs to no address becomes an empty host in async-http-client, which then ends the process.
            guard url.isWeb, let scheme = url.scheme?.asciiLowercased, let host = url.host?.asciiLowercased,
                !host.isEmpty, !host.utf8.contains(where: { "[]".utf8.contains($0) })
            else { return nil }
            self.scheme = scheme
            self.host = host
            port = url.port ?? (scheme == "https" ? 443 : 80)
        }

        /// The origin that is written like `https://example.com:8443`; `nil` when there is anything else in it.
        init?(text: String) {
            guard let url = URL(string: text), ["", "/"].contains(url.path), url.query == nil, url.fragment == nil,
                url.user == nil, url.password == nil
            else { return nil }
            self.init(url)
        }

        /// Whether nobody on the way can read along.
        var isSecure: Bool { scheme == "https" }
    }

    extension URL {
        /// Whether this is a URL that the loader fetches, or follows a redirect to.
        var isWeb: Bool { ["http", "https"].contains(scheme?.asciiLowercased) }

        /// The URL without user and password, and these.
        var withoutUser: (url: URL, credential: HTTPCredential?) {
            guard user != nil || password != nil,
                var components = URLComponents(url: self, resolvingAgainstBaseURL: true)
            else { return (self, nil) }
            let credential = HTTPCredential.basic(user: components.user ?? "", password: components.password ?? "")
            (components.user, components.password) = (nil, nil)
            return (components.url ?? self, credential)
        }
    }
#endif
