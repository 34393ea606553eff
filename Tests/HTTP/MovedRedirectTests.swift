#if HTTP
    import DarkroomCore
    import DarkroomHTTP
    import DarkroomTestKit
    import FoundationEssentials
    import TestSupport
    import Testing

    @Suite(.bounded)
    struct MovedRedirectTests {
        /// Runs a server whose `/latest` redirects to `/a` first, and to `/b` from then on. Both send the fields
        /// `validators`; a conditional request gets a 304 with those in `newValidators`.
        private func serving(
            _ validators: [String: String], newValidators: [String: String]? = nil,
            _ body: @Sendable (LoopbackServer) async throws -> Void
        ) async throws {
            func picture(_ grey: UInt8) -> LoopbackServer.Handler {
                { request, reply in
                    let isAsked = request.headers.keys.contains { ["if-none-match", "if-modified-since"].contains($0) }
                    if !isAsked { return try await reply.send(200, validators, Gallery.picture(grey)) }
                    try await reply.head(304, newValidators ?? validators)
                    try await reply.end()
                }
            }
            let first = Once()
            let routes: [String: LoopbackServer.Handler] = [
                "/latest": { _, reply in try await reply.redirect(to: first.take() ? "/a" : "/b") },
                "/a": picture(10), "/b": picture(20),
            ]
            try await LoopbackServer.serving(routes, body)
        }

        @Test(
            arguments: [
                (["Last-Modified": "Wed, 01 Jan 2025 00:00:00 GMT"], [:]), (["ETag": "W/\"1\""], nil),
                (["ETag": "\"1\""], [:]), (["ETag": "\"1\""], ["ETag": "W/\"1\""]),
            ] as [([String: String], [String: String]?)])
        func notModifiedFromAnotherURLIsNotAccepted(
            _ validators: [String: String], _ newValidators: [String: String]?
        ) async throws {
            try await serving(validators, newValidators: newValidators) { server in
                let gallery = try Gallery()
                #expect(try await gallery.grey(server.url("/latest")) == 10)
                #expect(try await gallery.grey(server.url("/latest")) == 20)
            }
        }

        @Test func strongTagIdentifiesTheImageAtAnyURL() async throws {
            try await serving(["ETag": "\"1\""]) { server in
                let gallery = try Gallery()
                #expect(try await gallery.grey(server.url("/latest")) == 10)
                let again = try await gallery.manager.load(server.url("/latest"))
                #expect(again.report.decision == .revalidated)
                #expect(server.requests.count == 4)
            }
        }

        @Test(arguments: [("\"1\"", true), ("W/\"1\"", false)])
        func onlyStrongTagsAreSentToAnotherURL(_ tag: String, _ isSent: Bool) async throws {
            let date = "Wed, 01 Jan 2025 00:00:00 GMT"
            let routes: [String: LoopbackServer.Handler] = [
                "/": { _, reply in try await reply.redirect(to: "/b") },
                "/b": { _, reply in try await reply.redirect(to: "/a") }, "/a": { _, reply in try await reply.send() },
            ]
            try await LoopbackServer.serving(routes) { server in
                let stored = ResponseMetadata(
                    url: server.url("/a"), status: 200, headers: ["etag": tag, "last-modified": date])
                _ = try await HTTPLoader().load(LoadRequest(url: server.url("/"), stored: stored)).data()
                let headers = server.requests.map(\.headers)
                #expect(headers.map { $0["if-none-match"] } == [isSent ? tag : nil, isSent ? tag : nil, tag])
                #expect(headers.map { $0["if-modified-since"] } == [nil, nil, date])
            }
        }
    }
#endif
