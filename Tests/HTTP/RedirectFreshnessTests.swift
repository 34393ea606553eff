#if HTTP
    import DarkroomCore
    import DarkroomHTTP
    import DarkroomTestKit
    import FoundationEssentials
    import TestSupport
    import Testing

    @Suite(.bounded)
    struct RedirectFreshnessTests {
        private static let year = "max-age=31536000, immutable"

        /// Runs a server whose `/latest` redirects with `fields` to `/a`, and if it `moves`, to `/b` from the second
        /// time on.
        private func serving(
            _ fields: [String: String], status: Int = 302, moves: Bool = false,
            _ body: @Sendable (LoopbackServer) async throws -> Void
        ) async throws {
            func picture(_ grey: UInt8) -> LoopbackServer.Handler {
                { request, reply in
                    let tag = "\"\(grey)\""
                    let isKnown = request.headers["if-none-match"] == tag
                    let headers = ["Cache-Control": Self.year, "ETag": tag]
                    if !isKnown { return try await reply.send(200, headers, Gallery.picture(grey)) }
                    try await reply.head(304, headers)
                    try await reply.end()
                }
            }
            let first = Once()
            let routes: [String: LoopbackServer.Handler] = [
                "/latest": { _, reply in
                    let target = first.take() || !moves ? "/a" : "/b"
                    try await reply.send(status, fields.merging(["Location": target]) { own, _ in own })
                }, "/a": picture(10), "/b": picture(20),
            ]
            try await LoopbackServer.serving(routes, body)
        }

        @Test(arguments: [
            ["Cache-Control": "no-store"], ["Cache-Control": "no-cache"], ["Cache-Control": "max-age=0"], [:],
        ])
        func changedRedirectIsNoticed(_ fields: [String: String]) async throws {
            try await serving(fields, moves: true) { server in
                let gallery = try Gallery()
                #expect(try await gallery.grey(server.url("/latest")) == 10)
                #expect(try await gallery.grey(server.url("/latest")) == 20)
                #expect(server.requests.map(\.path) == ["/latest", "/a", "/latest", "/b"])
                let isKept = fields["Cache-Control"] != "no-store"
                #expect(gallery.images.keys.isEmpty != isKept && gallery.data.keys.isEmpty != isKept)
            }
        }

        @Test func refreshNoticesARedirectChangedWithinItsLifetime() async throws {
            try await serving(["Cache-Control": "max-age=600"], moves: true) { server in
                let gallery = try Gallery()
                _ = try await gallery.grey(server.url("/latest"))
                #expect(try await gallery.grey(server.url("/latest")) == 10)
                #expect(server.requests.count == 2)
                #expect(try await gallery.grey(server.url("/latest")) { $0.cacheUse = .refresh } == 20)
            }
        }

        @Test func targetOfATemporaryRedirectIsRevalidatedByItsTag() async throws {
            try await serving([:]) { server in
                let gallery = try Gallery()
                _ = try await gallery.grey(server.url("/latest"))
                let again = try await gallery.manager.load(server.url("/latest"))
                #expect(again.report.decision == .revalidated && again.origin == .memory)
                #expect(server.requests.map(\.path) == ["/latest", "/a", "/latest", "/a"])
            }
        }

        @Test(arguments: [301, 308])
        func permanentRedirectKeepsItsTargetFresh(_ status: Int) async throws {
            try await serving([:], status: status) { server in
                let gallery = try Gallery()
                for _ in 0..<2 { _ = try await gallery.grey(server.url("/latest")) }
                _ = try await gallery.grey(server.url("/latest")) { $0.cacheUse = .refresh }
                #expect(server.requests.count == 2)
            }
        }

        @Test func redirectsAreReportedWithoutCookies() async throws {
            let fields = ["Cache-Control": "max-age=5", "Set-Cookie": "a=b"]
            try await serving(fields, status: 307) { server in
                let response = try await HTTPLoader().load(LoadRequest(url: server.url("/latest")))
                let redirect = try #require(response.redirects.first)
                #expect(response.redirects.count == 1)
                #expect(redirect.status == 307 && redirect.url == server.url("/latest"))
                #expect(redirect.headers["cache-control"] == "max-age=5" && redirect.headers["set-cookie"] == nil)
                let direct = try await HTTPLoader().load(LoadRequest(url: server.url("/a")))
                #expect(direct.redirects.isEmpty)
            }
        }

        @Test func varyOfARedirectIsHonoured() async throws {
            let routes: [String: LoopbackServer.Handler] = [
                "/": { request, reply in
                    let language = request.headers["accept-language"] ?? ""
                    try await reply.send(
                        302, ["Location": "/\(language)", "Vary": "Accept-Language", "Cache-Control": "max-age=600"])
                },
                "/de": { _, reply in try await reply.send(200, ["Cache-Control": Self.year], Gallery.picture(10)) },
                "/en": { _, reply in try await reply.send(200, ["Cache-Control": Self.year], Gallery.picture(20)) },
            ]
            try await LoopbackServer.serving(routes) { server in
                let gallery = try Gallery()
                for (language, grey) in [("de", 10), ("en", 20), ("en", 20)] as [(String, UInt8)] {
                    let shown = try await gallery.grey(server.url("/")) {
                        $0.httpHeaders = ["Accept-Language": language]
                    }
                    #expect(shown == grey)
                }
                #expect(server.requests.count == 4)
            }
        }
    }
#endif
