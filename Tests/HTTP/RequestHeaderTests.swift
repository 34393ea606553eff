#if HTTP
    import DarkroomCore
    import DarkroomHTTP
    import DarkroomTestKit
    import FoundationEssentials
    import TestSupport
    import Testing

    @Suite(.bounded)
    struct RequestHeaderTests {
        private func serving(_ body: @Sendable (LoopbackServer) async throws -> Void) async throws {
            try await LoopbackServer.serving(["/": { _, reply in try await reply.send() }], body)
        }

        @Test func defaultFieldsPreferImagesAndNameTheProgram() async throws {
            try await serving { server in
                _ = try await HTTPLoader().data(server.url("/"))
                let request = try #require(server.requests.first)
                #expect(request.method == "GET")
                #expect(request.headers["accept"] == "image/*,*/*;q=0.8")
                let agent = try #require(request.headers["user-agent"])
                #expect(agent.hasPrefix("\(ProcessInfo.processInfo.processName)/"))
                #expect(agent.contains("/1.0 (Linux ") && agent.hasSuffix(")"))
            }
        }

        @Test func productNameContainsOnlyTokenCharacters() {
            #expect(HTTPLoader.userAgent(version: "2 (ü)\r\n").contains("/2---"))
        }

        @Test func fieldsOfTheContextReplaceThoseOfTheConfiguration() async throws {
            try await serving { server in
                let context = ImageContext { $0.httpHeaders = ["ACCEPT": "image/png", "X-Mine": "1"] }
                _ = try await HTTPLoader { $0.headers["X-Theirs"] = "2" }.data(server.url("/"), context: context)
                let headers = try #require(server.requests.first?.headers)
                #expect(headers["accept"] == "image/png")
                #expect(headers["x-mine"] == "1")
                #expect(headers["x-theirs"] == "2")
            }
        }

        @Test(
            arguments: [
                (.standard, nil), (.refresh, "max-age=0"), (.loaderOnly, "no-cache"),
            ] as [(CacheUse, String?)])
        func reloadsPassTheCachesOnTheWay(use: CacheUse, directive: String?) async throws {
            try await serving { server in
                var context = ImageContext { $0.cacheUse = use }
                _ = try await HTTPLoader().data(server.url("/"), context: context)
                context.httpHeaders = ["cache-control": "max-age=5"]
                _ = try await HTTPLoader().data(server.url("/"), context: context)
                #expect(server.requests.map { $0.headers["cache-control"] } == [directive, "max-age=5"])
                #expect(server.requests[0].headers["pragma"] == (use == .loaderOnly ? "no-cache" : nil))
            }
        }

        @Test(arguments: [["X-Bad": "a\r\nX-Injected: 1"], ["X Bad": "a"], ["": "a"]])
        func invalidFieldsAreRefused(_ headers: [String: String]) async throws {
            try await serving { server in
                try await expectError(.refused) {
                    _ = try await HTTPLoader().data(server.url("/"), context: ImageContext { $0.httpHeaders = headers })
                }
                #expect(server.requests.isEmpty)
            }
        }

        @Test func fieldsOfTheContextSeparateLoadsButNotKeys() async throws {
            let gate = Gate()
            let routes: [String: LoopbackServer.Handler] = [
                "/": { request, reply in
                    if request.headers["x-user"] == "b" { gate.open() }
                    // Only the load of b opens it: if both shared one transfer, it would stay closed.
                    try await gate.waitUnlessCancelled()
                    try await reply.send(500)
                }
            ]
            try await LoopbackServer.serving(routes) { server in
                let manager = try ImageManager { $0.install(HTTPLoader()) }
                let contexts = ["a", "b"].map { user in ImageContext { $0.httpHeaders = ["X-User": user] } }
                #expect(
                    manager.key(for: server.url("/"), context: contexts[0])
                        == manager.key(for: server.url("/"), context: contexts[1]))
                async let first: Void = expectStatus(manager, server.url("/"), contexts[0])
                await waitUntil { server.requests.count == 1 }
                async let second: Void = expectStatus(manager, server.url("/"), contexts[1])
                _ = try await (first, second)
                #expect(server.requests.count == 2)
            }
        }

        private func expectStatus(_ manager: ImageManager, _ url: URL, _ context: ImageContext) async throws {
            try await expectError(.status) { _ = try await manager.load(url, context: context) }
        }

        @Test func requestsCanBeModifiedByWrapping() async throws {
            try await serving { server in
                let loader = HTTPLoader().modifyingRequests { request in
                    var context = request.context
                    context.httpHeaders["X-Signature"] = "signed \(request.url.path)"
                    request = LoadRequest(url: request.url, context: context, stored: request.stored)
                }
                #expect(loader.canLoad(server.url("/")))
                _ = try await loader.load(LoadRequest(url: server.url("/")))
                #expect(server.requests.first?.headers["x-signature"] == "signed /")
            }
        }

        @Test func requestsCanBeRefusedByWrapping() async throws {
            try await serving { server in
                let loader = HTTPLoader().modifyingRequests { _ in throw ImageError(.refused, .load, "not today") }
                try await expectError(.refused, mentioning: "not today") {
                    _ = try await loader.load(LoadRequest(url: server.url("/")))
                }
                #expect(server.requests.isEmpty)
            }
        }

        @Test func responsesCanBeModifiedByWrapping() async throws {
            try await serving { server in
                let loader = HTTPLoader().modifyingResponses { response, _ in
                    response.body = .data(try await response.data() + [1])
                }
                let response = try await loader.load(LoadRequest(url: server.url("/")))
                guard case .data(let data) = response.body else { throw ImageError(.internal, .load, "no data") }
                #expect(data == Data([1]))
            }
        }
    }
#endif
