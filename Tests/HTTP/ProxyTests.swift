#if HTTP
    import DarkroomCore
    import DarkroomHTTP
    import DarkroomTestKit
    import FoundationEssentials
    import TestSupport
    import Testing

    @Suite(.bounded)
    struct ProxyTests {
        private let routes: [String: LoopbackServer.Handler] = [
            "/": { _, reply in try await reply.send(200, [:], Data([1])) }
        ]

        /// Loads from a server through a proxy, and returns the requests that both received.
        private func load(
            _ url: String, statusLine: String = "HTTP/1.1 200 OK", isSecure: Bool = false,
            _ configure: @Sendable @escaping (inout HTTPLoader.Configuration, Int) -> Void
        ) async throws -> (proxy: [String], server: [LoopbackServer.Request]) {
            try await LoopbackServer.serving(routes, isSecure: isSecure) { server in
                try await LoopbackProxy.serving(to: server.url("/").port ?? 0, statusLine: statusLine) { proxy, port in
                    let loader = HTTPLoader { configure(&$0, port) }
                    let data = try await loader.data(#require(URL(string: url)))
                    #expect(data == Data([1]))
                    return (proxy.requests, server.requests)
                }
            }
        }

        @Test func proxyReceivesTheNameAndTheServerTheRequest() async throws {
            let (proxy, server) = try await load("http://pictures.test/") {
                $0.proxy = .http(host: "127.0.0.1", port: $1, credential: .basic(user: "a", password: "b"))
            }
            #expect(proxy.count == 1)
            #expect(proxy.first?.hasPrefix("CONNECT pictures.test:80 ") == true)
            #expect(proxy.first?.lowercased().contains("proxy-authorization: basic ytpi") == true)
            #expect(server.first?.headers["host"] == "pictures.test")
            #expect(server.first?.headers["proxy-authorization"] == nil)
        }

        @Test func proxyReceivesTheCheckedAddress() async throws {
            let (proxy, server) = try await load("http://pictures.test/") {
                $0.proxy = .http(host: "127.0.0.1", port: $1)
                $0.addressPolicy = .publicOnly
                $0.lookup = { _ in [IPAddress("8.8.8.8")].compactMap(\.self) }
            }
            #expect(proxy.first?.hasPrefix("CONNECT 8.8.8.8:80 ") == true)
            #expect(server.first?.headers["host"] == "pictures.test")
        }

        @Test func secureConnectionGoesThroughTheProxy() async throws {
            let (proxy, server) = try await load("https://pictures.test/", isSecure: true) {
                $0.proxy = .http(host: "127.0.0.1", port: $1)
                $0.trustRoots = .pem(Data(LoopbackIdentity.certificate.utf8))
            }
            #expect(proxy.first?.hasPrefix("CONNECT pictures.test:443 ") == true)
            #expect(server.count == 1)
        }

        @Test func socksProxyReceivesTheName() async throws {
            let (proxy, server) = try await load("http://a.test/") { $0.proxy = .socks(host: "127.0.0.1", port: $1) }
            // A name of six letters, and port 80.
            #expect(proxy == ["SOCKS 3 6 61 2e 74 65 73 74 0 50"])
            #expect(server.count == 1)
        }

        @Test func errorOfAnUnauthorizedProxyNamesTheSetting() async throws {
            try await expectError(.refused, mentioning: "HTTPLoader.Configuration.proxy") {
                _ = try await load("http://a.test/", statusLine: "HTTP/1.1 407 Proxy Authentication Required") {
                    $0.proxy = .http(host: "127.0.0.1", port: $1)
                }
            }
        }
    }
#endif
