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
            get throws(ImageError) {
                guard user != nil || password != nil else { return (self, nil) }
                let components = URLComponents(url: self, resolvingAgainstBaseURL: true)
                guard let components, let url = components.withoutUser.url else {
                    throw ImageError(.invalidURL, .load, "the URL has a user or a password that cannot be taken out")
                }
                let credential = HTTPCredential.basic(
                    user: components.user ?? "", password: components.password ?? "")
                return (url, credential)
            }
        }
    }

    extension URLComponents {
        /// These, without user and password.
        fileprivate var withoutUser: URLComponents {
            var components = self
            components.user = nil
            components.password = nil
            return components
        }
    }
#endif
