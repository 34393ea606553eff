#if HTTP
    import DarkroomCore
    import DarkroomHTTP
    import DarkroomTestKit
    import FoundationEssentials
    import TestSupport
    import Testing

    @Suite(.bounded)
    struct URLCheckTests {
        private struct Unlisted: Error {}

        private let checked = Recorder<String>()

        /// Returns a loader that records each URL, and refuses those that contain `forbidden` with `error`.
        private func loader(_ forbidden: String, _ error: any Error) -> HTTPLoader {
            HTTPLoader {
                $0.checkURL = { [checked] url in
                    checked.note(url.absoluteString)
                    if url.path.contains(forbidden) { throw error }
                }
            }
        }

        private func serving(_ body: @Sendable (LoopbackServer) async throws -> Void) async throws {
            let routes: [String: LoopbackServer.Handler] = [
                "/a": { _, reply in try await reply.redirect(to: "/b") },
                "/b": { _, reply in try await reply.redirect(to: "/c") },
                "/c": { _, reply in try await reply.send(200, [:], Data([1, 2])) },
            ]
            try await LoopbackServer.serving(routes, body)
        }

        @Test func everyHopIsCheckedOnce() async throws {
            try await serving { server in
                let port = try #require(server.url("/").port)
                let url = try #require(URL(string: "http://me:secret@127.0.0.1:\(port)/a"))
                #expect(try await loader("nowhere", Unlisted()).data(url) == Data([1, 2]))
                #expect(checked.values == ["/a", "/b", "/c"].map { server.url($0).absoluteString })
            }
        }

        @Test(arguments: [("a", 0), ("b", 1), ("c", 2)])
        func refusedURLIsNotRequested(_ forbidden: String, _ requestCount: Int) async throws {
            let errors: [any Error] = [
                Unlisted(), ImageError(.network, .load, "Unlisted"), ImageError(.refused, .load, "Unlisted"),
            ]
            try await serving { server in
                for error in errors {
                    let before = server.requests.count
                    let loader = loader(forbidden, error)
                    let refusal = try await expectError(.refused, mentioning: "Unlisted") {
                        _ = try await loader.data(server.url("/a"))
                    }
                    #expect(server.requests.count == before + requestCount)
                    #expect(!loader.remembers(refusal))
                }
            }
        }
    }
#endif
