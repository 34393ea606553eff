#if HTTP
    import AsyncHTTPClient

    extension HTTPLoader {
        /// A server that connects to origins for us.
        ///
        /// It only makes connections, by `CONNECT` or SOCKS, for `http:` URLs too; secure ones stay secure. With an address
        /// policy it is told the address that was checked, and otherwise the name. The proxy's own address is not checked.
        public struct Proxy: Hashable, Sendable {
            private enum Kind: Hashable, Sendable { case http, socks }

            private let kind: Kind
            private let host: String
            private let port: Int
            private let credential: HTTPCredential?

            /// An HTTP proxy. It gets `credential` as `Proxy-Authorization`, and no origin does.
            public static func http(host: String, port: Int, credential: HTTPCredential? = nil) -> Proxy {
                Proxy(kind: .http, host: host, port: port, credential: credential)
            }

            /// A SOCKS 5 proxy that asks for no credential.
            public static func socks(host: String, port: Int = 1080) -> Proxy {
                Proxy(kind: .socks, host: host, port: port, credential: nil)
            }

            /// Whether there can be such a server.
            var isPossible: Bool {
                !host.isEmpty && (1...65535).contains(port) && (credential == nil || credential?.authorization != nil)
            }

            /// The setting of the HTTP client for it; `nil` when there can be no such server.
            var setting: HTTPClient.Configuration.Proxy? {
                guard isPossible else { return nil }
                switch kind {
                case .http: return .server(host: host, port: port, authorization: credential?.clientAuthorization)
                case .socks: return .socksServer(host: host, port: port)
                }
            }
        }
    }

    extension HTTPCredential {
        /// The credential as the HTTP client has it.
        fileprivate var clientAuthorization: HTTPClient.Authorization? {
            if let basic { return .basic(username: basic.user, password: basic.password) }
            return authorization.map { .bearer(tokens: String($0.dropFirst("Bearer ".count))) }
        }
    }
#endif
