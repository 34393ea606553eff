#if HTTP
    import DarkroomCore
    import DarkroomHTTP
    import DarkroomTestKit
    import FoundationEssentials
    import TestSupport
    import Testing

    @Suite(.bounded)
    struct HTTPLoaderTests {
        private let picture = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0 * 7) })

        private func serving(
            _ handler: @escaping LoopbackServer.Handler, _ body: @Sendable (LoopbackServer) async throws -> Void
        ) async throws {
            try await LoopbackServer.serving(["/picture": handler], body)
        }

        private func expectPicture(_ loader: HTTPLoader, at url: URL) async throws {
            #expect(try await loader.data(url) == picture)
        }

        @Test func bytesLengthAndMetadataArrive() async throws {
            let headers = ["Content-Type": "image/png", "ETag": "\"1\"", "Set-Cookie": "secret=1"]
            try await serving({ [picture] _, reply in try await reply.send(200, headers, picture) }) { server in
                let response = try await HTTPLoader().load(LoadRequest(url: server.url("/picture")))
                #expect(response.expectedByteCount == picture.count)
                #expect(response.metadata?.status == 200)
                #expect(response.metadata?.url == server.url("/picture"))
                #expect(response.metadata?.headers["etag"] == "\"1\"")
                #expect(response.metadata?.headers["set-cookie"] == nil)
                #expect(try await response.data() == picture)
            }
        }

        @Test func chunkedBodyHasNoExpectedLength() async throws {
            try await serving { _, reply in
                try await reply.head(200)
                for byte in UInt8(0)..<5 { try await reply.body(Data([byte])) }
                try await reply.end()
            } _: { server in
                let response = try await HTTPLoader().load(LoadRequest(url: server.url("/picture")))
                #expect(response.expectedByteCount == nil)
                #expect(try await response.data() == Data([0, 1, 2, 3, 4]))
            }
        }

        @Test(arguments: ["http", "HTTP"])
        func schemeIgnoresCase(_ scheme: String) async throws {
            try await serving({ [picture] _, reply in try await reply.send(200, [:], picture) }) { server in
                let url = server.url("/picture?a=b#c", scheme: scheme)
                #expect(HTTPLoader().canLoad(url))
                try await expectPicture(HTTPLoader(), at: url)
                #expect(server.requests.map(\.path) == ["/picture?a=b"])
            }
        }

        @Test(arguments: ["file:///a.png", "data:,a", "ftp://a/b.png", "a.png", "httpx://a/"])
        func otherURLsAreLeftToOtherLoaders(_ text: String) throws {
            #expect(!HTTPLoader().canLoad(try #require(URL(string: text))))
        }

        @Test(arguments: ["http:///picture.png", "http://%5B/", "http://%5D/", "http://[]/", "http://a%5Db/"])
        func urlWithoutHostIsInvalid(_ text: String) async throws {
            let url = try #require(URL(string: text))
            let error = try await expectError(.invalidURL) { _ = try await HTTPLoader().data(url) }
            #expect(HTTPLoader().remembers(error))
        }

        @Test(arguments: [304, 300, 400, 404, 410, 500, 503, 599])
        func failureStatusIsAnErrorAndNotRemembered(_ status: Int) async throws {
            try await serving({ _, reply in try await reply.send(status) }) { server in
                let error = try await expectError(.status, mentioning: "\(status)") {
                    _ = try await HTTPLoader().data(server.url("/picture"))
                }
                #expect(error.underlying == nil)
                #expect(!HTTPLoader().remembers(error))
            }
        }

        @Test func acceptableStatusCodesAreConfigurable() async throws {
            try await serving({ [picture] _, reply in try await reply.send(404, [:], picture) }) { server in
                try await expectPicture(HTTPLoader { $0.acceptableStatusCodes = nil }, at: server.url("/picture"))
                try await expectPicture(HTTPLoader { $0.acceptableStatusCodes = [404] }, at: server.url("/picture"))
            }
        }

        @Test(arguments: ["text/html", "text/html; charset=utf-8", "application/json", "TEXT/PLAIN", "image", "*/*"])
        func unacceptableContentTypeIsAnErrorAndNotRemembered(_ type: String) async throws {
            try await serving({ [picture] _, reply in try await reply.send(200, ["Content-Type": type], picture) }) {
                server in
                let error = try await expectError(.contentType) {
                    _ = try await HTTPLoader().data(server.url("/picture"))
                }
                #expect(!HTTPLoader().remembers(error))
                try await expectPicture(HTTPLoader { $0.acceptableContentTypes = nil }, at: server.url("/picture"))
            }
        }

        @Test(arguments: [
            "image/png", "IMAGE/PNG ; a=b", "image/whatever", "application/octet-stream", "binary/octet-stream", "",
            " ",
        ])
        func imageContentTypesAreAccepted(_ type: String) async throws {
            try await serving({ [picture] _, reply in try await reply.send(200, ["Content-Type": type], picture) }) {
                server in
                try await expectPicture(HTTPLoader(), at: server.url("/picture"))
            }
        }

        @Test func loaderRefusesAfterShutdown() async throws {
            try await serving({ [picture] _, reply in try await reply.send(200, [:], picture) }) { server in
                let loader = HTTPLoader()
                _ = try await loader.data(server.url("/picture"))
                await loader.shutdown()
                await loader.shutdown()
                try await expectError(.refused) { _ = try await loader.data(server.url("/picture")) }
            }
        }

        @Test func releasedLoaderFinishesItsTransfer() async throws {
            try await serving({ [picture] _, reply in try await reply.send(200, [:], picture) }) { server in
                let response = try await HTTPLoader().load(LoadRequest(url: server.url("/picture")))
                #expect(try await response.data() == picture)
            }
        }

        @Test func bodyCanBeReadOnlyOnce() async throws {
            try await serving({ [picture] _, reply in try await reply.send(200, [:], picture) }) { server in
                let response = try await HTTPLoader().load(LoadRequest(url: server.url("/picture")))
                _ = try await response.data()
                try await expectError(.internal) { _ = try await response.data() }
            }
        }
    }
#endif
