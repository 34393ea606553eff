#if HTTP
    import DarkroomCore
    import DarkroomHTTP
    import DarkroomTestKit
    import FoundationEssentials
    import TestSupport
    import Testing

    @Suite(.bounded)
    struct BodyLimitTests {
        private static let endless: LoopbackServer.Handler = { _, reply in
            try await reply.head(200)
            while true { try await reply.body(Data(count: 1 << 16)) }
        }

        private let small = ImageContext { $0.limits.encodedByteCount = 100_000 }

        @Test func lengthAboveTheLimitIsRefusedBeforeTheBody() async throws {
            let isClosed = Gate()
            let routes: [String: LoopbackServer.Handler] = [
                "/": { _, reply in
                    try await reply.head(200, ["Content-Length": "100001"])
                    try await reply.waitForClose()
                    isClosed.open()
                }
            ]
            try await LoopbackServer.serving(routes) { server in
                try await expectError(.overLimit, mentioning: "encodedByteCount is 100001") {
                    _ = try await HTTPLoader().load(LoadRequest(url: server.url("/"), context: small))
                }
                try await isClosed.waitUnlessCancelled()
            }
        }

        @Test func endlessBodyEndsAtTheLimit() async throws {
            try await LoopbackServer.serving(["/": Self.endless]) { server in
                let manager = try ImageManager { $0.install(HTTPLoader()) }
                try await expectError(.overLimit, mentioning: "encodedByteCount") {
                    _ = try await manager.load(server.url("/"), context: small)
                }
            }
        }

        @Test func slowReaderStopsTheServer() async throws {
            let routes: [String: LoopbackServer.Handler] = [
                "/endless": Self.endless, "/ping": { _, reply in try await reply.send() },
            ]
            try await LoopbackServer.serving(routes) { server in
                let loader = HTTPLoader()
                let response = try await loader.load(LoadRequest(url: server.url("/endless")))
                // Ends when the server stops making progress, because the buffers of the kernel are full.
                var (before, stillCount) = (-1, 0)
                while stillCount < 50 {
                    let now = server.byteCount(writtenTo: "/endless")
                    stillCount = now == before ? stillCount + 1 : 0
                    before = now
                    _ = try await loader.data(server.url("/ping"))
                }
                #expect(before < 32 << 20)
                guard case .chunks(let chunks) = response.body else { throw ImageError(.internal, .load, "no chunks") }
                for try await _ in chunks where server.byteCount(writtenTo: "/endless") > before { break }
            }
        }

        @Test func compressedBodyIsDecompressedAndHasNoExpectedLength() async throws {
            let packed = try #require(
                Data(base64Encoded: "H4sIAAAAAAACA8vLL1FIVCjITC4pLUrVUUgqLVEoSEzOTk1RyKOqDAAAxciIaAAAAA=="))
            let routes: [String: LoopbackServer.Handler] = [
                "/": { _, reply in try await reply.send(200, ["Content-Encoding": "gzip"], packed) }
            ]
            try await LoopbackServer.serving(routes) { server in
                let response = try await HTTPLoader().load(LoadRequest(url: server.url("/")))
                #expect(response.expectedByteCount == nil)
                let data = try await response.data()
                #expect(data.count == 104)
                #expect(data.starts(with: Data("not a picture, but packed not".utf8)))
            }
        }

        @Test func decompressionBombIsRefused() async throws {
            // 289 bytes that decompress to 256 KiB of zeros.
            let start = "H4sIAAAAAAACA+3BMQEAAADCoPVP7W0HoAAA"
            let end = "3gAi6g7iAAAEAA=="
            let middle = String(repeating: "A", count: 388 - start.count - end.count)
            let bomb = try #require(Data(base64Encoded: start + middle + end))
            let routes: [String: LoopbackServer.Handler] = [
                "/": { _, reply in try await reply.send(200, ["Content-Encoding": "gzip"], bomb) }
            ]
            try await LoopbackServer.serving(routes) { server in
                let error = try await expectError(.overLimit, mentioning: "decompressionRatioLimit") {
                    _ = try await HTTPLoader().data(server.url("/"))
                }
                #expect(!HTTPLoader().remembers(error))
                let data = try await HTTPLoader { $0.decompressionRatioLimit = 1000 }.data(server.url("/"))
                #expect(data == Data(count: 256 << 10))
            }
        }
    }
#endif
