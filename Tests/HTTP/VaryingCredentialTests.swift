#if HTTP
    import DarkroomCore
    import DarkroomHTTP
    import DarkroomTestKit
    import FoundationEssentials
    import TestSupport
    import Testing

    @Suite(.bounded)
    struct VaryingCredentialTests {
        private static let fields = ["Cache-Control": "max-age=600", "Vary": "Authorization, Cookie", "ETag": "\"1\""]

        /// An origin with a different image for each of three clients: A, B, and anonymous ones.
        private static let routes: [String: LoopbackServer.Handler] = [
            "/": { request, reply in
                let secret = (request.headers["authorization"] ?? "") + (request.headers["cookie"] ?? "")
                let grey: UInt8 = secret.hasSuffix("A") ? 10 : secret.hasSuffix("B") ? 20 : 30
                var fields = Self.fields
                fields["ETag"] = "\"\(grey)\""
                try await reply.send(200, fields, Gallery.picture(grey))
            },
            "/login": { _, reply in
                try await reply.send(200, Self.fields.merging(["Set-Cookie": "s=A"]) { $1 }, Gallery.picture(30))
            },
        ]

        private func serving(_ body: @Sendable (LoopbackServer) async throws -> Void) async throws {
            try await LoopbackServer.serving(Self.routes, body)
        }

        @Test func eachCredentialGetsItsOwnImage() async throws {
            try await serving { server in
                let gallery = try Gallery()
                for (token, grey) in [("A", 10), ("B", 20), (nil, 30), (nil, 30), ("A", 10)] as [(String?, UInt8)] {
                    let shown = try await gallery.grey(server.url("/")) {
                        $0.httpCredential = token.map { .bearer($0) }
                    }
                    #expect(shown == grey)
                }
                // Only responses to requests without a credential are known to match.
                #expect(server.requests.count == 4)
            }
        }

        @Test func userInTheURLCountsAsACredential() async throws {
            try await serving { server in
                let port = try #require(server.url("/").port)
                let url = try #require(URL(string: "http://me:secret@127.0.0.1:\(port)/"))
                let gallery = try Gallery()
                for _ in 0..<2 { _ = try await gallery.grey(url) }
                #expect(server.requests.count == 2)
            }
        }

        @Test func credentialOfTheConfigurationCounts() async throws {
            try await serving { server in
                let loader = HTTPLoader { $0.credentials = [server.url("").absoluteString: .bearer("A")] }
                let gallery = try Gallery(loader)
                for _ in 0..<2 { #expect(try await gallery.grey(server.url("/")) == 10) }
                #expect(server.requests.count == 2)
            }
        }

        @Test func cookiesOfTheStoreCount() async throws {
            try await serving { server in
                let cookies = CookieStore()
                let gallery = try Gallery(HTTPLoader { $0.cookies = cookies })
                for _ in 0..<2 { #expect(try await gallery.grey(server.url("/")) == 30) }
                #expect(server.requests.count == 1)
                _ = try await gallery.grey(server.url("/login"))
                for _ in 0..<2 { #expect(try await gallery.grey(server.url("/")) == 10) }
                #expect(server.requests.count == 4)
            }
        }

        @Test func cookieSetByTheResponseWasNotSent() async throws {
            try await serving { server in
                let loader = HTTPLoader { $0.cookies = CookieStore() }
                let request = LoadRequest(url: server.url("/login"))
                #expect(loader.requestFields(for: request)["cookie"] == nil)
                let first = try await loader.load(request)
                #expect(first.requestFields?["cookie"] == nil)
                #expect(loader.requestFields(for: request)["cookie"] == "*")
                let second = try await loader.load(request)
                #expect(second.requestFields?["cookie"] == "*")
            }
        }

        @Test func credentialsSentToRedirectsCount() async throws {
            let routes: [String: LoopbackServer.Handler] = [
                "/": { request, reply in
                    let port = request.headers["host"]?.split(separator: ":").last ?? ""
                    try await reply.redirect(to: "http://localhost:\(port)/there")
                }, "/there": { _, reply in try await reply.redirect(to: "/login") }, "/login": Self.routes["/login"]!,
            ]
            try await LoopbackServer.serving(routes) { server in
                let origin = server.url("", host: "localhost").absoluteString
                let loader = HTTPLoader { $0.credentials = [origin: .bearer("A")] }
                let request = LoadRequest(url: server.url("/"))
                #expect(loader.requestFields(for: request)["authorization"] == nil)
                let response = try await loader.load(request)
                #expect(response.requestFields?["authorization"] == "*")
            }
        }

        @Test func requestFieldsContainNoSecrets() async throws {
            let context = ImageContext {
                $0.httpHeaders = ["Cookie": "Hush"]
                $0.httpCredential = .bearer("Hush")
            }
            try await serving { server in
                let request = LoadRequest(url: server.url("/"), context: context)
                let response = try await HTTPLoader().load(request)
                for fields in [HTTPLoader().requestFields(for: request), response.requestFields ?? [:]] {
                    #expect(fields["authorization"] == "*" && fields["cookie"] == "*")
                    #expect(fields["accept"] == "image/*,*/*;q=0.8" && fields["if-none-match"] == nil)
                }
            }
        }

        @Test func invalidCredentialGetsNothingFromCaches() async throws {
            try await serving { server in
                let gallery = try Gallery()
                _ = try await gallery.grey(server.url("/"))
                try await expectError(.refused) {
                    _ = try await gallery.grey(server.url("/")) { $0.httpCredential = .bearer("") }
                }
            }
        }
    }
#endif
