#if HTTP
    import DarkroomCore
    import DarkroomHTTP
    import DarkroomTestKit
    import FoundationEssentials
    import TestSupport
    import Testing

    /// Returns the port that a request was sent to.
    private func port(_ request: LoopbackServer.Request) -> Substring {
        request.headers["host"]?.split(separator: ":").last ?? ""
    }

    @Suite(.bounded)
    struct RedirectTests {
        private static let picture: LoopbackServer.Handler = { _, reply in try await reply.send(200, [:], Data([1, 2]))
        }

        @Test(arguments: [301, 302, 303, 307, 308])
        func redirectIsFollowedAndTheFinalURLReported(_ status: Int) async throws {
            let routes: [String: LoopbackServer.Handler] = [
                "/a/b": { _, reply in try await reply.redirect(status, to: "../c%20d?e") }, "/c%20d": Self.picture,
            ]
            try await LoopbackServer.serving(routes) { server in
                let response = try await HTTPLoader().load(LoadRequest(url: server.url("/a/b")))
                #expect(try await response.data() == Data([1, 2]))
                #expect(response.metadata?.url == server.url("/c%20d?e"))
                #expect(server.requests.map(\.method) == ["GET", "GET"])
            }
        }

        @Test func redirectWithoutTargetIsAStatusError() async throws {
            try await LoopbackServer.serving(["/": { _, reply in try await reply.send(302) }]) { server in
                try await expectError(.status, mentioning: "302") { _ = try await HTTPLoader().data(server.url("/")) }
            }
        }

        @Test(arguments: [0, 1, 5])
        func loopEndsAtTheLimit(_ limit: Int) async throws {
            try await LoopbackServer.serving(["/": { _, reply in try await reply.redirect(to: "/") }]) { server in
                let loader = HTTPLoader { $0.redirectLimit = limit }
                let error = try await expectError(.status, mentioning: "redirectLimit") {
                    _ = try await loader.data(server.url("/"))
                }
                #expect(server.requests.count == limit + 1)
                #expect(!loader.remembers(error))
            }
        }

        @Test func redirectsUpToTheLimitAreFollowed() async throws {
            let routes: [String: LoopbackServer.Handler] = [
                "/a": { _, reply in try await reply.redirect(to: "b") },
                "/b": { _, reply in try await reply.redirect(to: "c") }, "/c": Self.picture,
            ]
            try await LoopbackServer.serving(routes) { server in
                let data = try await HTTPLoader { $0.redirectLimit = 2 }.data(server.url("/a"))
                #expect(data == Data([1, 2]))
            }
        }

        @Test(arguments: [
            "file:///etc/passwd", "data:image/png,a", "javascript:alert(1)", "ftp://a/b", "unix://a/b", "",
            "http://%5B/", "http://[/", "http://]a/", "http://[]/",
        ])
        func redirectToANonHTTPURLIsRefusedAndRemembered(_ target: String) async throws {
            try await LoopbackServer.serving(["/": { _, reply in try await reply.redirect(to: target) }]) { server in
                let kind: ImageError.Kind = target.isEmpty ? .status : .invalidURL
                let error = try await expectError(kind) { _ = try await HTTPLoader().data(server.url("/")) }
                #expect(HTTPLoader().remembers(error) == !target.isEmpty)
            }
        }

        @Test(.bug(id: "Fix custom header fields sent to another origin after a redirect"), arguments: [false, true])
        func customFieldsAreSentOnlyToTheirOrigin(forwardsHeaders: Bool) async throws {
            let routes: [String: LoopbackServer.Handler] = [
                "/a": { _, reply in try await reply.redirect(to: "/b") },
                "/b": { request, reply in try await reply.redirect(to: "http://localhost:\(port(request))/c") },
                "/c": { request, reply in try await reply.redirect(to: "http://127.0.0.1:\(port(request))/d") },
                "/d": Self.picture,
            ]
            try await LoopbackServer.serving(routes) { server in
                let context = ImageContext {
                    $0.httpHeaders = ["Authorization": "Basic eA==", "Cookie": "a=b", "X-Other": "1"]
                }
                let loader = HTTPLoader {
                    $0.headers["X-Key"] = "2"
                    $0.forwardsHeadersAcrossOrigins = forwardsHeaders
                }
                _ = try await loader.data(server.url("/a"), context: context)
                let requests = server.requests
                #expect(requests.map(\.path) == ["/a", "/b", "/c", "/d"])
                // A redirect back to the first origin does not restore them.
                #expect(requests.map { $0.headers["authorization"] } == ["Basic eA==", "Basic eA==", nil, nil])
                #expect(requests.map { $0.headers["cookie"] } == ["a=b", "a=b", nil, nil])
                let (other, key) = forwardsHeaders ? ("1", "2") : (nil, nil)
                #expect(requests.map { $0.headers["x-other"] } == ["1", "1", other, other])
                #expect(requests.map { $0.headers["x-key"] } == ["2", "2", key, key])
                #expect(requests.allSatisfy { $0.headers["accept"] != nil && $0.headers["user-agent"] != nil })
                #expect(requests[2].headers["host"]?.hasPrefix("localhost:") == true)
            }
        }

        @Test func bodyOfARedirectIsDiscarded() async throws {
            let isClosed = Gate()
            let routes: [String: LoopbackServer.Handler] = [
                "/a": { _, reply in
                    try await reply.head(302, ["Location": "/b"])
                    // Fails if the connection has been closed by then.
                    try? await reply.body(Data(count: 1000))
                    try await reply.waitForClose()
                    isClosed.open()
                }, "/b": Self.picture,
            ]
            try await LoopbackServer.serving(routes) { server in
                #expect(try await HTTPLoader().data(server.url("/a")) == Data([1, 2]))
                try await isClosed.waitUnlessCancelled()
            }
        }
    }
#endif
