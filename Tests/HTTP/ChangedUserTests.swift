#if HTTP
    @testable import DarkroomCore
    import DarkroomHTTP
    import DarkroomTestKit
    import FoundationEssentials
    import TestSupport
    import Testing

    /// A loader whose credentials or cookies become those of another user.
    @Suite(.bounded)
    struct ChangedUserTests {
        /// The two ways in which the app tells the loader who the user is.
        enum Means: CaseIterable {
            case header, cookie

            func set(_ user: String, of loader: HTTPLoader, _ cookies: CookieStore, for url: URL) throws {
                switch self {
                case .header: try loader.setHeader("Bearer \(user)", for: "Authorization")
                case .cookie: cookies.set("session=\(user)", for: url)
                }
            }
        }

        /// Returns the user of a request: the last letter of its credentials.
        private static func user(of request: LoopbackServer.Request) -> String {
            String(((request.headers["authorization"] ?? "") + (request.headers["cookie"] ?? "")).suffix(1))
        }

        private static func picture(of user: String) -> Data {
            Gallery.picture(user == "A" ? 10 : user == "B" ? 20 : 30)
        }

        @Test(arguments: Means.allCases) func transferOfAnotherUserIsNotJoined(_ means: Means) async throws {
            let gate = Gate()
            let routes: [String: LoopbackServer.Handler] = [
                "/": { request, reply in
                    let user = Self.user(of: request)
                    if user == "A" { try await gate.waitUnlessCancelled() }
                    try await reply.send(200, ["Cache-Control": "no-store"], Self.picture(of: user))
                }
            ]
            try await LoopbackServer.serving(routes) { server in
                let cookies = CookieStore()
                let loader = HTTPLoader { $0.cookies = cookies }
                let (gallery, url) = (try Gallery(loader), server.url("/"))
                try means.set("A", of: loader, cookies, for: url)
                async let first = gallery.grey(url)
                await gate.waitForArrivals()
                try means.set("B", of: loader, cookies, for: url)
                #expect(try await gallery.grey(url) == 20)
                gate.open()
                #expect(try await first == 10)
                #expect(server.requests.count == 2)
            }
        }

        /// Servers that balance loads by cookies set one with each response.
        @Test func transferIsJoinedAfterAResponseWithACookie() async throws {
            let gate = Gate()
            let routes: [String: LoopbackServer.Handler] = [
                "/": { _, reply in
                    try await gate.waitUnlessCancelled()
                    try await reply.send(200, [:], Gallery.picture(10))
                }, "/other": { _, reply in try await reply.send(200, ["Set-Cookie": "node=1"], Gallery.picture(20)) },
            ]
            try await LoopbackServer.serving(routes) { server in
                let gallery = try Gallery(HTTPLoader { $0.cookies = CookieStore() })
                async let first = gallery.grey(server.url("/"))
                await gate.waitForArrivals()
                _ = try await gallery.grey(server.url("/other"))
                async let second = gallery.grey(server.url("/"))
                await waitUntil { gallery.manager.joinedCount == 1 }
                gate.open()
                #expect(try await [first, second] == [10, 10])
                #expect(server.requests.count == 2)
            }
        }

        @Test func cookieForTheTargetOfARedirectCounts() async throws {
            let routes: [String: LoopbackServer.Handler] = [
                "/": { _, reply in try await reply.send(301, ["Location": "/pictures/1"]) },
                "/pictures/1": { request, reply in
                    let fields = ["Cache-Control": "max-age=600", "Vary": "Cookie"]
                    try await reply.send(200, fields, Self.picture(of: Self.user(of: request)))
                },
            ]
            try await LoopbackServer.serving(routes) { server in
                let cookies = CookieStore()
                let gallery = try Gallery(HTTPLoader { $0.cookies = cookies })
                for _ in 0..<2 { #expect(try await gallery.grey(server.url("/")) == 30) }
                #expect(server.requests.count == 2)
                cookies.set("session=A; Path=/pictures", for: server.url("/pictures/1"))
                #expect(try await gallery.grey(server.url("/")) == 10)
            }
        }

        @Test func newCredentialIsTriedAfterTheOldOneWasRefused() async throws {
            let routes: [String: LoopbackServer.Handler] = [
                "/": { request, reply in
                    let user = Self.user(of: request)
                    try await reply.send(user == "A" ? 401 : 200, [:], Self.picture(of: user))
                }
            ]
            try await LoopbackServer.serving(routes) { server in
                let loader = HTTPLoader()
                let (gallery, url) = (try Gallery(loader), server.url("/"))
                try loader.setHeader("Bearer A", for: "Authorization")
                try await expectError(.status) { _ = try await gallery.grey(url) }
                try await expectError(.refused) { _ = try await gallery.grey(url) }
                try loader.setHeader("Bearer B", for: "Authorization")
                #expect(try await gallery.grey(url) == 20)
                #expect(server.requests.count == 2)
            }
        }

        /// The failure is that of the credential that was sent.
        @Test func credentialSetDuringARefusalIsTried() async throws {
            let gate = Gate()
            let routes: [String: LoopbackServer.Handler] = [
                "/": { request, reply in
                    let user = Self.user(of: request)
                    if user == "A" { try await gate.waitUnlessCancelled() }
                    try await reply.send(user == "A" ? 401 : 200, [:], Self.picture(of: user))
                }
            ]
            try await LoopbackServer.serving(routes) { server in
                let loader = HTTPLoader()
                let (gallery, url) = (try Gallery(loader), server.url("/"))
                try loader.setHeader("Bearer A", for: "Authorization")
                let first = Task { try await gallery.grey(url) }
                await gate.waitForArrivals()
                try loader.setHeader("Bearer B", for: "Authorization")
                gate.open()
                await #expect(throws: ImageError.self) { try await first.value }
                #expect(try await gallery.grey(url) == 20)
            }
        }
    }
#endif
