#if HTTP
    import DarkroomCore
    import DarkroomHTTP
    import DarkroomTestKit
    import FoundationEssentials
    import TestSupport
    import Testing

    @Suite(.bounded)
    struct BrokenConnectionTests {
        private func expectNetworkError(mentioning text: String = "", at url: URL) async throws {
            let loader = HTTPLoader()
            let error = try await expectError(.network, mentioning: text) { _ = try await loader.data(url) }
            #expect(!loader.remembers(error), "\(error)")
            #expect(loader.transferCount == 0)
        }

        @Test func refusedConnectionFailsAtOnce() async throws {
            let url = try await LoopbackServer.silent(scheme: "http") { $0 }
            try await expectNetworkError(mentioning: "failed: connection refused", at: url)
        }

        @Test func unknownHostIsANetworkError() async throws {
            try await expectNetworkError(at: URL(string: "http://nowhere.invalid/")!)
        }

        @Test func closingBeforeTheHeadIsANetworkError() async throws {
            try await LoopbackServer.serving(["/": { _, reply in try await reply.close() }]) { server in
                try await expectNetworkError(at: server.url("/"))
            }
        }

        @Test(arguments: [[:], ["Content-Length": "1000"]])
        func closingInTheBodyIsANetworkError(_ headers: [String: String]) async throws {
            let routes: [String: LoopbackServer.Handler] = [
                "/": { _, reply in
                    try await reply.head(200, headers)
                    try await reply.body(Data([1, 2, 3]))
                    try await reply.close()
                }
            ]
            try await LoopbackServer.serving(routes) { server in try await expectNetworkError(at: server.url("/")) }
        }

        @Test func bytesBeyondTheDeclaredLengthAreAnError() async throws {
            let routes: [String: LoopbackServer.Handler] = [
                "/": { _, reply in try await reply.send(200, ["Content-Length": "2"], Data([1, 2, 3, 4])) }
            ]
            try await LoopbackServer.serving(routes) { server in
                let data = try? await HTTPLoader().data(server.url("/"))
                #expect(data == nil || data == Data([1, 2]))
            }
        }

        @Test(arguments: ["-1", "x", "99999999999999999999999999", "1, 2"])
        func invalidLengthIsAnError(_ length: String) async throws {
            let routes: [String: LoopbackServer.Handler] = [
                "/": { _, reply in
                    try await reply.head(200, ["Content-Length": length])
                    try await reply.body(Data([1]))
                    try await reply.close()
                }
            ]
            try await LoopbackServer.serving(routes) { server in try await expectNetworkError(at: server.url("/")) }
        }

        @Test func invalidCompressedBodyIsAnError() async throws {
            let routes: [String: LoopbackServer.Handler] = [
                "/": { _, reply in try await reply.send(200, ["Content-Encoding": "gzip"], Data("no gzip at all".utf8))
                }
            ]
            try await LoopbackServer.serving(routes) { server in try await expectNetworkError(at: server.url("/")) }
        }

        @Test func untrustedOriginIsRemembered() async throws {
            try await LoopbackServer.serving([:]) { server in
                let loader = HTTPLoader()
                let error = try await expectError(.network, mentioning: "secure") {
                    _ = try await loader.data(server.url("/", scheme: "https"))
                }
                #expect(loader.remembers(error))
            }
        }
    }
#endif
