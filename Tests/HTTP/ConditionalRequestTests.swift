#if HTTP
    import DarkroomCore
    import DarkroomHTTP
    import DarkroomTestKit
    import FoundationEssentials
    import TestSupport
    import Testing

    @Suite(.bounded)
    struct ConditionalRequestTests {
        @Test func storedValidatorsAreSentAndConfirmedByNotModified() async throws {
            let date = "Sun, 06 Nov 1994 08:49:37 GMT"
            let routes: [String: LoopbackServer.Handler] = [
                "/": { _, reply in
                    try await reply.head(304, ["ETag": "\"2\"", "Cache-Control": "max-age=60"])
                    try await reply.end()
                }
            ]
            try await LoopbackServer.serving(routes) { server in
                let stored = ResponseMetadata(
                    url: server.url("/"), status: 200, headers: ["etag": "\"1\"", "last-modified": date])
                let response = try await HTTPLoader().load(LoadRequest(url: server.url("/"), stored: stored))
                guard case .notModified = response.body else { throw ImageError(.internal, .load, "a body came") }
                #expect(response.metadata?.headers["cache-control"] == "max-age=60")
                #expect(server.requests.first?.headers["if-none-match"] == "\"1\"")
                #expect(server.requests.first?.headers["if-modified-since"] == date)
            }
        }

        @Test func changedImageIsTransferredCompletely() async throws {
            try await LoopbackServer.serving(["/": { _, reply in try await reply.send(200, [:], Data([1])) }]) {
                server in
                let stored = ResponseMetadata(url: server.url("/"), status: 200, headers: ["etag": "\"1\""])
                let response = try await HTTPLoader().load(LoadRequest(url: server.url("/"), stored: stored))
                #expect(try await response.data() == Data([1]))
            }
        }

        @Test func notModifiedWithoutValidatorsIsAnError() async throws {
            try await LoopbackServer.serving(["/": { _, reply in try await reply.send(304) }]) { server in
                let stored = ResponseMetadata(url: server.url("/"), status: 200)
                try await expectError(.status, mentioning: "304") {
                    _ = try await HTTPLoader().load(LoadRequest(url: server.url("/"), stored: stored))
                }
                #expect(server.requests.first?.headers["if-none-match"] == nil)
            }
        }
    }
#endif
