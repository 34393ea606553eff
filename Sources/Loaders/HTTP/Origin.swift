#if HTTP
    import DarkroomCore
    import DarkroomPlatform

    /// The scheme, host and port that credentials and cookies are bound to.
    struct Origin: Hashable, Sendable {
        /// The scheme and the host, in lower case.
        let scheme, host: String

        /// The port, explicit or the scheme's default.
        let port: Int

        /// Creates the origin of `url`; `nil` unless it is a valid HTTP or HTTPS URL.
        init?(_ url: URL) {
            // async-http-client takes a host with a stray bracket for an empty one, and then ends the process.
            guard url.isHTTP, let scheme = url.scheme?.asciiLowercased, let host = url.host?.asciiLowercased,
                !host.isEmpty, !host.utf8.contains(where: { "[]".utf8.contains($0) })
            else { return nil }
            self.scheme = scheme
            self.host = host
            port = url.port ?? (scheme == "https" ? 443 : 80)
        }

        /// Parses an origin such as `https://example.com:8443`; `nil` when the text contains anything else.
        init?(text: String) {
            guard let url = URL(string: text), ["", "/"].contains(url.path), url.query == nil, url.fragment == nil,
                url.user == nil, url.password == nil
            else { return nil }
            self.init(url)
        }

        /// Whether connections to it are encrypted.
        var isSecure: Bool { scheme == "https" }
    }

    extension URL {
        /// Whether the loader can fetch this URL, directly or after a redirect.
        var isHTTP: Bool {
            guard let scheme else { return false }
            return scheme.equalsIgnoringASCIICase("https") || scheme.equalsIgnoringASCIICase("http")
        }

        /// The URL without user name and password, and the credential they make up.
        var withoutUser: (url: URL, credential: HTTPCredential?) {
            get throws(ImageError) {
                guard user != nil || password != nil else { return (self, nil) }
                let components = URLComponents(url: self, resolvingAgainstBaseURL: true)
                guard let components, let url = components.withoutUser.url else {
                    throw ImageError(.invalidURL, .load, "the user name and password cannot be removed from the URL")
                }
                let credential = HTTPCredential.basic(
                    user: components.user ?? "", password: components.password ?? "")
                return (url, credential)
            }
        }
    }

    extension URLComponents {
        /// A copy without user name and password.
        fileprivate var withoutUser: URLComponents {
            var components = self
            components.user = nil
            components.password = nil
            return components
        }
    }
#endif
