#if HTTP
    import DarkroomCore
    import FoundationEssentials
    import TestSupport
    import Testing

    @testable import DarkroomHTTP
    import DarkroomTestKit

    @Suite(.bounded)
    struct StoredResponseCookieTests {
        @Test func hitReportsTheCookiesWithoutSettingThemAgain() async throws {
            let routes: [String: LoopbackServer.Handler] = [
                "/": { _, reply in
                    let fields = ["Set-Cookie": "session=1", "Cache-Control": "max-age=60"]
                    try await reply.send(200, fields, Gallery.picture(1))
                }
            ]
            try await LoopbackServer.serving(routes) { server in
                let store = CookieStore()
                let manager = try ImageManager {
                    $0.install(HTTPLoader { $0.cookies = store })
                    $0.install(PlainCoder())
                    $0.dataCache = FakeDataCache()
                }
                let context = ImageContext { $0.waitsForStore = true }
                let loaded = try await manager.data(server.url("/"), context: context)
                #expect(loaded.origin == .network && loaded.setCookies == ["session=1"])
                #expect(store.header(for: server.url("/")) == "session=1")
                store.set("session=2", for: server.url("/"))
                let hit = try await manager.data(server.url("/"), context: context)
                #expect(hit.origin == .disk && hit.setCookies == ["session=1"])
                #expect(store.header(for: server.url("/")) == "session=2")
                #expect(server.requests.count == 1)
            }
        }
    }
#endif
