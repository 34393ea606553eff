#if HTTP
    import AsyncHTTPClient
    import DarkroomCore
    import DarkroomHTTP
    import DarkroomTestKit
    import FoundationEssentials
    import NIOCore
    import TestSupport
    import Testing

    @Suite(.bounded)
    struct MilestoneTests {
        private func milestones(_ loader: HTTPLoader, _ url: URL) async throws -> [String] {
            let reported = Recorder<String>()
            var request = LoadRequest(url: url)
            request.report = { reported.note(String("\($0)".prefix { $0 != "(" })) }
            _ = try await loader.load(request).data()
            return reported.values
        }

        private let routes: [String: LoopbackServer.Handler] = [
            "/": { _, reply in try await reply.send() }, "/a/b c": { _, reply in try await reply.send() },
            "/a/b%20c": { _, reply in try await reply.send() },
            "/moved": { _, reply in try await reply.redirect(to: "/") },
        ]

        @Test(arguments: ["", "/", "/?q=1&r=%20", "/a/b%20c?d", "/#part"])
        func transferReportsItsMilestones(_ path: String) async throws {
            try await LoopbackServer.serving(routes) { server in
                let loader = HTTPLoader()
                // The second transfer reuses the connection of the first.
                for _ in 0..<2 {
                    let reported = try await milestones(loader, server.url(path))
                    #expect(reported == ["started", "connected", "responded"])
                }
            }
        }

        @Test func eachRedirectReportsItsConnection() async throws {
            try await LoopbackServer.serving(routes) { server in
                let reported = try await milestones(HTTPLoader(), server.url("/moved"))
                #expect(reported == ["started", "connected", "connected", "responded"])
            }
        }

        @Test func checkedAddressReportsItsConnection() async throws {
            try await LoopbackServer.serving(routes) { server in
                let loader = HTTPLoader { $0.addressPolicy = .networks("127.0.0.1", "::1") }
                let reported = try await milestones(loader, server.url("/", host: "localhost"))
                #expect(reported == ["started", "connected", "responded"])
            }
        }

        @Test func secureConnectionIsReported() async throws {
            try await LoopbackServer.serving(routes, isSecure: true) { server in
                let loader = HTTPLoader {
                    $0.trustRoots = .pem(Data(LoopbackIdentity.certificate.utf8))
                    $0.addressPolicy = .hosts("pictures.test")
                    $0.lookup = { _ in [IPAddress("127.0.0.1")].compactMap(\.self) }
                }
                let reported = try await milestones(loader, server.url("/", scheme: "https", host: "pictures.test"))
                #expect(reported == ["started", "connected", "responded"])
            }
        }

        @Test func waitingTransferHasNotStarted() async throws {
            let gate = Gate()
            let routes: [String: LoopbackServer.Handler] = [
                "/": { _, reply in
                    try await gate.waitUnlessCancelled()
                    try await reply.send()
                }
            ]
            try await LoopbackServer.serving(routes) { server in
                let loader = HTTPLoader { $0.transferLimit = 1 }
                let reported = Recorder<String>()
                async let first = loader.data(server.url("/"))
                await waitUntil { server.requests.count == 1 }
                var request = LoadRequest(url: server.url("/"))
                request.report = { reported.note("\($0)") }
                async let second = loader.load(request).data()
                await waitUntil { loader.waitingTransferCount == 1 }
                #expect(reported.values.isEmpty)
                gate.open()
                _ = try await (first, second)
                #expect(reported.values.count == 3)
            }
        }

        @Test func observerOfTheCallerIsPreserved() async throws {
            try await LoopbackServer.serving(routes) { server in
                let made = Recorder<Int>()
                var client = HTTPClient.Configuration()
                client.http1_1ConnectionDebugInitializer = { channel in
                    made.note(0)
                    return channel.eventLoop.makeSucceededVoidFuture()
                }
                _ = try await milestones(HTTPLoader(client: client), server.url("/"))
                #expect(made.values.count == 1)
            }
        }
    }
#endif
