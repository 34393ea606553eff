#if HTTP
    import DarkroomCore
    import DarkroomHTTP
    import DarkroomTestKit
    import FoundationEssentials
    import TestSupport
    import Testing

    /// Header fields that change while the loader is in use.
    @Suite(.bounded)
    struct ChangingHeaderTests {
        private static let routes: [String: LoopbackServer.Handler] = [
            "/": { _, reply in
                try await reply.send(200, ["Cache-Control": "max-age=3600", "ETag": "\"1\""], Gallery.picture(10))
            },
            "/away": { request, reply in
                let port = request.headers["host"]?.split(separator: ":").last ?? ""
                try await reply.redirect(to: "http://localhost:\(port)/")
            },
        ]

        private func serving(_ body: @Sendable (LoopbackServer) async throws -> Void) async throws {
            try await LoopbackServer.serving(Self.routes, body)
        }

        @Test func changesAreInEffectForLaterRequests() async throws {
            try await serving { server in
                let loader = HTTPLoader { $0.headers["X-Old"] = "1" }
                let copy = loader
                _ = try await loader.data(server.url("/"))
                try loader.setHeader("2", for: "x-old")
                try loader.setHeader("3", for: "X-New")
                _ = try await copy.data(server.url("/"))
                try loader.setHeader(nil, for: "X-OLD")
                try loader.setHeader(nil, for: "x-new")
                try loader.setHeader(nil, for: "X-Never")
                _ = try await loader.data(server.url("/"))
                #expect(server.requests.map { $0.headers["x-old"] } == ["1", "2", nil])
                #expect(server.requests.map { $0.headers["x-new"] } == [nil, "3", nil])
                #expect(server.requests.allSatisfy { $0.headers["accept"] != nil })
                #expect(loader.configuration.headers["X-Old"] == "1")
            }
        }

        @Test func fieldsAreReadInAnyCase() throws {
            let loader = HTTPLoader { $0.headers = ["Accept": "image/png", "ACCEPT": "image/gif"] }
            #expect(loader.header("accept") == "image/png" && loader.header("X-None") == nil)
            let request = LoadRequest(url: try #require(URL(string: "http://a/")))
            #expect(loader.requestFields(for: request)["accept"] == "image/png")
            try loader.setHeader("image/webp", for: "accept")
            #expect(loader.headers == ["accept": "image/webp"])
        }

        @Test(arguments: [("X-Bad", "a\r\nX-Injected: 1"), ("X Bad", "a"), ("", "a")])
        func invalidFieldsAreRefused(name: String, value: String) async throws {
            let loader = HTTPLoader()
            let before = loader.headers
            try await expectError(.refused) { try loader.setHeader(value, for: name) }
            #expect(loader.headers == before)
        }

        @Test func concurrentChangesAreNotLost() async throws {
            let loader = HTTPLoader { $0.headers = [:] }
            await withTaskGroup(of: Void.self) { group in
                for number in 0..<100 {
                    group.addTask { try? loader.setHeader("\(number)", for: "X-\(number)") }
                }
            }
            #expect(loader.headers.count == 100)
        }

        @Test func waitingTransferSendsTheNewField() async throws {
            try await serving { server in
                let loader = HTTPLoader()
                loader.isSuspended = true
                async let data = loader.data(server.url("/"))
                await waitUntil { loader.waitingTransferCount == 1 }
                try loader.setHeader("1", for: "X-New")
                loader.isSuspended = false
                _ = try await data
                #expect(server.requests.first?.headers["x-new"] == "1")
            }
        }

        /// A redirect of a transfer in flight sends what its first request has sent.
        @Test func transferInFlightKeepsItsFields() async throws {
            let gate = Gate()
            let routes: [String: LoopbackServer.Handler] = [
                "/a": { _, reply in
                    try await gate.waitUnlessCancelled()
                    try await reply.redirect(to: "/")
                }, "/": Self.routes["/"]!,
            ]
            try await LoopbackServer.serving(routes) { server in
                let loader = HTTPLoader { $0.headers["X-Key"] = "1" }
                async let response = loader.load(LoadRequest(url: server.url("/a")))
                await gate.waitForArrivals()
                try loader.setHeader("2", for: "X-Key")
                try loader.setHeader("3", for: "X-New")
                gate.open()
                #expect(try await response.requestFields?["x-key"] == "1")
                #expect(server.requests.map { $0.headers["x-key"] } == ["1", "1"])
                #expect(server.requests.map { $0.headers["x-new"] } == [nil, nil])
            }
        }

        @Test func redirectToAnotherOriginDoesNotSendThem() async throws {
            try await serving { server in
                let loader = HTTPLoader()
                try loader.setHeader("1", for: "X-Key")
                try loader.setHeader("Bearer a", for: "Authorization")
                try loader.setHeader("Mine/1.0", for: "User-Agent")
                _ = try await loader.data(server.url("/away"))
                #expect(server.requests.map { $0.headers["x-key"] } == ["1", nil])
                #expect(server.requests.map { $0.headers["authorization"] } == ["Bearer a", nil])
                #expect(server.requests.map { $0.headers["user-agent"] } == ["Mine/1.0", "Mine/1.0"])
            }
        }

        @Test(arguments: ["X-Api-Key", "Authorization", "Cookie"])
        func imageFetchedWithAFieldRequiresIt(name: String) async throws {
            try await serving { server in
                let loader = HTTPLoader()
                let gallery = try Gallery(loader)
                let url = server.url("/")
                try loader.setHeader("a", for: name)
                _ = try await gallery.grey(url)
                #expect(gallery.manager.cachedImage(for: url) != nil)
                let route = try await loader.load(LoadRequest(url: url)).route
                #expect(route?.hops.map(\.credentials) == [[name.lowercased()]])
                // Removed: neither memory nor disk gives it away.
                try loader.setHeader(nil, for: name)
                #expect(gallery.manager.cachedImage(for: url) == nil)
                #expect(await !gallery.manager.isCached(url))
                try await expectError(.cacheOnlyMiss) {
                    _ = try await gallery.grey(url) { $0.cacheUse = .cacheOnly }
                }
                // The kind of credential counts, not its value.
                try loader.setHeader("b", for: name)
                #expect(gallery.manager.cachedImage(for: url) != nil)
            }
        }

        @Test func valuesOfCredentialsAreHidden() throws {
            let loader = HTTPLoader()
            try loader.setHeader("Bearer secret", for: "Authorization")
            let fields = loader.requestFields(for: LoadRequest(url: try #require(URL(string: "http://a/"))))
            #expect(fields["authorization"] == "*")
        }
    }
#endif
