#if HTTP
    import DarkroomCore
    import DarkroomTestKit
    import FoundationEssentials
    import TestSupport
    import Testing

    @testable import DarkroomHTTP

    @Suite(.bounded)
    struct CredentialTests {
        private static let secret = HTTPCredential.basic(user: "me", password: "pässword")
        private static let secretField = "Basic " + Data("me:pässword".utf8).base64EncodedString()

        private let routes: [String: LoopbackServer.Handler] = [
            "/": { _, reply in try await reply.send() }, "/401": { _, reply in try await reply.send(401) },
            "/away": { request, reply in
                let host = request.headers["host"] ?? ""
                let port = host.split(separator: ":").last ?? ""
                try await reply.redirect(
                    to: "http://you:other@\(host.hasPrefix("127") ? "localhost" : "127.0.0.1"):\(port)/")
            },
            "/near": { _, reply in try await reply.redirect(to: "/") },
        ]

        private func context(_ credential: HTTPCredential) -> ImageContext {
            ImageContext { $0.httpCredential = credential }
        }

        private func sent(_ server: LoopbackServer) -> [String?] { server.requests.map { $0.headers["authorization"] } }

        @Test func credentialOfTheContextIsSentWithTheFirstRequest() async throws {
            try await LoopbackServer.serving(routes) { server in
                _ = try await HTTPLoader().data(server.url("/"), context: context(Self.secret))
                _ = try await HTTPLoader().data(server.url("/"), context: context(.bearer("abc.DEF")))
                #expect(sent(server) == [Self.secretField, "Bearer abc.DEF"])
            }
        }

        @Test func credentialIsSentOnlyToItsOrigin() async throws {
            try await LoopbackServer.serving(routes) { server in
                let origin = server.url("", host: "LOCALHOST").absoluteString
                let loader = HTTPLoader { $0.credentials = [origin: .bearer("a")] }
                _ = try await loader.data(server.url("/"))
                _ = try await loader.data(server.url("/", host: "localhost"))
                // A redirect to the origin, and one away from it.
                _ = try await loader.data(server.url("/away"))
                _ = try await loader.data(server.url("/away", host: "localhost"))
                #expect(sent(server) == [nil, "Bearer a", nil, "Bearer a", "Bearer a", nil])
            }
        }

        @Test func userInTheURLIsSentAsACredentialAndNotStored() async throws {
            try await LoopbackServer.serving(routes) { server in
                let port = try #require(server.url("/").port)
                let url = try #require(URL(string: "http://me:p%C3%A4ssword@127.0.0.1:\(port)/"))
                let response = try await HTTPLoader().load(LoadRequest(url: url))
                #expect(response.metadata?.url == server.url("/"))
                #expect(sent(server) == [Self.secretField])
                #expect(server.requests.first?.headers["host"] == "127.0.0.1:\(port)")
            }
        }

        @Test func redirectKeepsTheCredentialOnlyWithinTheOrigin() async throws {
            try await LoopbackServer.serving(routes) { server in
                _ = try await HTTPLoader().data(server.url("/near"), context: context(Self.secret))
                _ = try await HTTPLoader().data(server.url("/away"), context: context(Self.secret))
                // The user name in the redirect's URL is not sent either.
                #expect(sent(server) == [Self.secretField, Self.secretField, Self.secretField, nil])
            }
        }

        @Test func headerFieldOfTheCallerTakesPrecedence() async throws {
            try await LoopbackServer.serving(routes) { server in
                let context = ImageContext {
                    $0.httpHeaders = ["authorization": "Custom 1"]
                    $0.httpCredential = Self.secret
                }
                _ = try await HTTPLoader().data(server.url("/"), context: context)
                #expect(sent(server) == ["Custom 1"])
            }
        }

        @Test func rejectedCredentialIsReportedWithoutItsSecret() async throws {
            try await LoopbackServer.serving(routes) { server in
                let url = try #require(URL(string: "http://me:secret@127.0.0.1:\(server.url("/").port ?? 0)/401"))
                let error = try await expectError(.status, mentioning: "rejected the credential") {
                    _ = try await HTTPLoader().data(url)
                }
                #expect(error.message.contains("401"))
                #expect(!"\(error)".contains("secret") && !"\(error)".contains("me"))
                let other = try await expectError(.status, mentioning: "401") {
                    _ = try await HTTPLoader().data(server.url("/401"))
                }
                #expect(!other.message.contains("credential"))
            }
        }

        @Test(arguments: [
            HTTPCredential.basic(user: "a:b", password: ""), .bearer(""), .bearer("a b"), .bearer("a\r\nX-Injected: 1"),
            .bearer("ä"),
        ])
        func invalidCredentialIsRefused(_ credential: HTTPCredential) async throws {
            try await LoopbackServer.serving(routes) { server in
                try await expectError(.refused) {
                    _ = try await HTTPLoader().data(server.url("/"), context: context(credential))
                }
                #expect(server.requests.isEmpty)
            }
        }

        @Test func descriptionsNeverContainCredentials() {
            var configuration = HTTPLoader.Configuration()
            configuration.credentials = [
                "https://a": .basic(user: "Hush", password: "Hush"), "https://b": .bearer("Hush"),
            ]
            configuration.proxy = .http(host: "a", port: 1, credential: .bearer("Hush"))
            var text =
                "\(configuration) \(HTTPCredential.bearer("Hush")) \(String(reflecting: HTTPCredential.bearer("Hush")))"
            dump(configuration, to: &text)
            dump(context(.bearer("Hush")), to: &text)
            #expect(text.contains("bearer credential"))
            #expect(!text.contains("Hush"))
        }

        @Test func loadsWithDifferentCredentialsShareNoTransfer() async throws {
            let gate = Gate()
            let routes: [String: LoopbackServer.Handler] = [
                "/": { request, reply in
                    if request.headers["authorization"] == "Bearer b" { gate.open() }
                    // Only the load of b opens it: if both shared one transfer, it would stay closed.
                    try await gate.waitUnlessCancelled()
                    try await reply.send(500)
                }
            ]
            try await LoopbackServer.serving(routes) { server in
                let manager = try ImageManager { $0.install(HTTPLoader()) }
                async let first: Void = expectStatus(manager, server.url("/"), "a")
                await waitUntil { server.requests.count == 1 }
                async let second: Void = expectStatus(manager, server.url("/"), "b")
                _ = try await (first, second)
                #expect(server.requests.count == 2)
            }
        }

        private func expectStatus(_ manager: ImageManager, _ url: URL, _ token: String) async throws {
            try await expectError(.status) { _ = try await manager.load(url, context: context(.bearer(token))) }
        }
    }
#endif
