#if HTTP
    import Darkroom
    import DarkroomTestKit
    import FoundationEssentials
    import TestSupport
    import Testing

    /// Freshness without fakes: a server, the HTTP loader, and the disk cache.
    @Suite(.bounded)
    struct RevalidationOverHTTPTests {
        private static let file = "png-orientation-1.png"

        /// Runs a server that sends the image once with `cacheControl`, and responds with `later` to further requests.
        private func serving(
            _ cacheControl: String, vary: String = "Accept", later: @escaping LoopbackServer.Handler,
            _ body: @escaping @Sendable (LoopbackServer, URL) async throws -> Void
        ) async throws {
            let directory = try TemporaryDirectory()
            let routes: [String: LoopbackServer.Handler] = [
                "/a.png": { request, reply in
                    guard request.headers["if-none-match"] == nil else { return try await later(request, reply) }
                    try await reply.send(
                        200,
                        [
                            "Cache-Control": cacheControl, "Vary": vary, "ETag": "\"1\"", "Content-Type": "image/png",
                        ], Fixture(Self.file).data)
                }
            ]
            try await LoopbackServer.serving(routes) { try await body($0, directory.url) }
        }

        @Test func notModifiedRenewsTheEntryOnDisk() async throws {
            let later: LoopbackServer.Handler = { _, reply in
                try await reply.head(304, ["Cache-Control": "max-age=3600", "ETag": "\"1\""])
                try await reply.end()
            }
            try await serving("max-age=0", later: later) { server, directory in
                func load() async throws -> LoadResult {
                    // A new manager for each load, as after a restart, with an empty memory cache.
                    try await ImageManager.standard(cacheDirectory: directory)
                        .load(server.url("/a.png"), context: ImageContext { $0.waitsForStore = true })
                }
                let first = try await load()
                #expect(first.origin == .network)
                for _ in 0..<2 {
                    let again = try await load()
                    #expect(again.origin == .disk && !again.isStale)
                    #expect(again.image.bitmap == first.image.bitmap)
                }
                #expect(server.requests.map { $0.headers["if-none-match"] } == [nil, "\"1\""])
            }
        }

        @Test func differentHeaderFieldsCauseANewRequest() async throws {
            let later: LoopbackServer.Handler = { _, reply in
                try await reply.head(304, ["Cache-Control": "max-age=3600", "ETag": "\"1\""])
                try await reply.end()
            }
            try await serving("max-age=3600", vary: "Accept, Accept-Language", later: later) { server, directory in
                let manager = try ImageManager.standard(cacheDirectory: directory)
                func load(_ language: String) async throws {
                    let context = ImageContext { $0.httpHeaders = ["Accept-Language": language] }
                    _ = try await manager.load(server.url("/a.png"), context: context)
                }
                for language in ["de", "de", "en", "en"] { try await load(language) }
                #expect(server.requests.map { $0.headers["accept-language"] } == ["de", "en"])
            }
        }

        @Test func staleImageIsReturnedForAnErrorOfTheOrigin() async throws {
            let later: LoopbackServer.Handler = { _, reply in try await reply.send(503) }
            try await serving("max-age=0, stale-if-error=600", later: later) { server, directory in
                let manager = try ImageManager.standard(cacheDirectory: directory)
                #expect(try await !manager.load(server.url("/a.png")).isStale)
                #expect(try await manager.load(server.url("/a.png")).isStale)
                #expect(server.requests.count == 2)
            }
        }
    }
#endif
