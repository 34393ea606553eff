#if HTTP
    import AsyncHTTPClient

    extension HTTPLoader {
        /// A proxy server that connects to origins.
        ///
        /// It is only used to open connections, with `CONNECT` or SOCKS, for `http:` URLs too; secure connections stay
        /// secure end to end. With an address policy the proxy receives the checked address, otherwise the name. The
        /// address of the proxy itself is not checked.
        public struct Proxy: Hashable, Sendable {
            private enum Kind: Hashable, Sendable { case http, socks }

            private let kind: Kind
            private let host: String
            private let port: Int
            private let credential: HTTPCredential?

            /// Creates an HTTP proxy. Only the proxy receives `credential`, as `Proxy-Authorization`.
            public static func http(host: String, port: Int, credential: HTTPCredential? = nil) -> Proxy {
                Proxy(kind: .http, host: host, port: port, credential: credential)
            }

            /// Creates a SOCKS 5 proxy without authentication.
            public static func socks(host: String, port: Int = 1080) -> Proxy {
                Proxy(kind: .socks, host: host, port: port, credential: nil)
            }

            /// Whether host, port and credential are valid.
            var isValid: Bool {
                !host.isEmpty && (1...65535).contains(port) && (credential == nil || credential?.authorization != nil)
            }

            /// The corresponding setting of the HTTP client; `nil` when host, port or credential is invalid.
            var setting: HTTPClient.Configuration.Proxy? {
                guard isValid else { return nil }
                switch kind {
                case .http: return .server(host: host, port: port, authorization: credential?.clientAuthorization)
                case .socks: return .socksServer(host: host, port: port)
                }
            }
        }
    }

    extension HTTPCredential {
        /// The corresponding type of the HTTP client.
        fileprivate var clientAuthorization: HTTPClient.Authorization? {
            if let basic { return .basic(username: basic.user, password: basic.password) }
            return authorization.map { .bearer(tokens: String($0.dropFirst("Bearer ".count))) }
        }
    }
#endif
