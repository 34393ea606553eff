#if S3 && HTTP
    import DarkroomCore
    import DarkroomTestKit
    import FoundationEssentials
    import TestSupport
    import Testing

    @testable import DarkroomS3

    @Suite(.bounded)
    struct S3LoaderTests {
        private static let url = URL(string: "s3://b/folder/a%20b%C3%A9%3F.png")!
        private static let path = "/b/folder/a%20b%C3%A9%3F.png"

        private func loader(
            _ url: URL, _ configure: (inout S3Loader.Configuration) -> Void = { _ in }
        ) -> S3Loader {
            var configuration = S3Loader.Configuration(
                engine: S3Configuration(endpoint: url, credentials: S3Credentials.test))
            configure(&configuration)
            return S3Loader(configuration)
        }

        @Test func objectIsStreamed() async throws {
            let handler: LoopbackServer.Handler = { _, reply in
                try await reply.head(200, ["Content-Length": "100000", "ETag": "\"1\"", "Set-Cookie": "hidden"])
                for _ in 0..<10 { try await reply.body(Data(repeating: 5, count: 10_000)) }
                try await reply.end()
            }
            try await LoopbackServer.serving([Self.path: handler]) { server in
                let loader = loader(server.root)
                let response = try await loader.load(LoadRequest(url: Self.url))
                #expect(response.expectedByteCount == 100_000)
                #expect(response.metadata?.url == Self.url)
                #expect(response.metadata?.headers["etag"] == "\"1\"")
                #expect(response.metadata?.headers["set-cookie"] == nil)
                #expect(loader.runningTransferCount == 1)
                let found = try await response.bytes()
                #expect(found == Data(repeating: 5, count: 100_000))
                #expect(loader.runningTransferCount == 0)
                #expect(server.requests.first?.headers["authorization"]?.hasPrefix("AWS4-HMAC-SHA256") == true)
                await #expect(throws: ImageError.self) { try await response.bytes() }
            }
        }

        @Test func loaderFulfilsTheContract() async throws {
            let handler: LoopbackServer.Handler = { request, reply in
                if request.headers["if-none-match"] == "\"1\"" { return try await reply.send(304, ["ETag": "\"1\""]) }
                try await reply.send(200, ["ETag": "\"1\""], Data(repeating: 5, count: 10_000))
            }
            try await LoopbackServer.serving([Self.path: handler]) { server in
                try await LoaderContract(loader(server.root)).checkAll(
                    Self.url, returns: Data(repeating: 5, count: 10_000),
                    missing: ["s3://b/none", "s3://b", "s3://b/", "s3://b/a?b", "s3://u@b/a"].compactMap(URL.init),
                    foreign: ["https://b/a", "file:///b/a", "s3a://b/a"].compactMap(URL.init))
            }
            try await LoopbackServer.silent(scheme: "http") { url in
                let root = try #require(URL(string: "http://127.0.0.1:\(url.port ?? 1)"))
                try await LoaderContract(loader(root)).checkCancellation(of: Self.url)
            }
        }

        @Test func unchangedObjectIsNotReceived() async throws {
            let handler: LoopbackServer.Handler = { _, reply in try await reply.send(304) }
            try await LoopbackServer.serving([Self.path: handler]) { server in
                let stored = ResponseMetadata(
                    url: Self.url, status: 200, headers: ["last-modified": "Mon, 01 Jan 2024 00:00:00 GMT"])
                let loader = loader(server.root)
                let response = try await loader.load(LoadRequest(url: Self.url, stored: stored))
                guard case .notModified = response.body else { throw ImageError(.internal, .load, "it has a body") }
                #expect(loader.runningTransferCount == 0)
                #expect(server.requests.first?.headers["if-modified-since"] == "Mon, 01 Jan 2024 00:00:00 GMT")
                try await expectError(.status, mentioning: "304") {
                    _ = try await loader.load(LoadRequest(url: Self.url))
                }
            }
        }

        @Test func missingObjectIsAStatusError() async throws {
            let handler: LoopbackServer.Handler = { _, reply in try await reply.fail(404, "NoSuchKey") }
            try await LoopbackServer.serving([Self.path: handler]) { server in
                let loader = loader(server.root)
                let error = try await expectError(.status, mentioning: "404 (NoSuchKey)") {
                    _ = try await loader.load(LoadRequest(url: Self.url))
                }
                #expect(error.response?.status == 404)
                #expect(error.stage == .load)
                #expect(!loader.remembers(error))
                var request = LoadRequest(url: Self.url)
                request.returnsRejectedResponses = true
                let found = try await loader.load(request).metadata?.status
                #expect(found == 404)
            }
        }

        @Test func bytesBeyondTheLimitAreNotReceived() async throws {
            let handler: LoopbackServer.Handler = { _, reply in
                try await reply.head(200)
                while true { try await reply.body(Data(count: 64 << 10)) }
            }
            try await LoopbackServer.serving([Self.path: handler]) { server in
                var request = LoadRequest(url: Self.url)
                request.context.limits.encodedByteCount = 1_000_000
                let response = try await loader(server.root).load(request)
                try await expectError(.overLimit, mentioning: "encodedByteCount") { _ = try await response.bytes() }
            }
        }

        @Test func declaredLengthBeyondTheLimitIsRefused() async throws {
            let handler: LoopbackServer.Handler = { _, reply in try await reply.head(200, ["Content-Length": "1000"]) }
            try await LoopbackServer.serving([Self.path: handler]) { server in
                var request = LoadRequest(url: Self.url)
                request.context.limits.encodedByteCount = 999
                try await expectError(.overLimit) { _ = try await loader(server.root).load(request) }
            }
        }

        @Test func stalledBodyEndsInATimeout() async throws {
            let handler: LoopbackServer.Handler = { _, reply in
                try await reply.head(200, ["Content-Length": "1000"])
                try await reply.body(Data([1]))
                try await reply.waitForClose()
            }
            try await LoopbackServer.serving([Self.path: handler]) { server in
                let loader = loader(server.root) { $0.idleTimeout = .milliseconds(100) }
                let response = try await loader.load(LoadRequest(url: Self.url))
                try await expectError(.timedOut, mentioning: "Configuration.idleTimeout") {
                    _ = try await response.bytes()
                }
                #expect(loader.runningTransferCount == 0)
            }
        }

        @Test func missingResponseEndsInATimeout() async throws {
            try await LoopbackServer.silent(scheme: "http") { url in
                let root = try #require(URL(string: "http://127.0.0.1:\(url.port ?? 1)"))
                let loader = loader(root) { $0.firstByteTimeout = .milliseconds(100) }
                try await expectError(.timedOut, mentioning: "Configuration.firstByteTimeout") {
                    _ = try await loader.load(LoadRequest(url: Self.url))
                }
            }
        }

        @Test func truncatedBodyIsANetworkError() async throws {
            let handler: LoopbackServer.Handler = { _, reply in
                try await reply.head(200, ["Content-Length": "1000"])
                try await reply.body(Data([1]))
                try await reply.close()
            }
            try await LoopbackServer.serving([Self.path: handler]) { server in
                let response = try await loader(server.root).load(LoadRequest(url: Self.url))
                try await expectError(.network) { _ = try await response.bytes() }
            }
        }

        /// An engine closes idle connections, and may do so while a request is on its way.
        @Test(arguments: [true, false]) func failedRequestIsSentAgain(_ closes: Bool) async throws {
            let counter = Counter()
            let handler: LoopbackServer.Handler = { _, reply in
                if counter.next() != 2 { return try await reply.send(200, [:], Data([7])) }
                if closes { try await reply.close() } else { try await reply.fail(503, "SlowDown") }
            }
            try await LoopbackServer.serving([Self.path: handler]) { server in
                let loader = loader(server.root)
                for _ in 0..<2 {
                    let found = try await loader.load(LoadRequest(url: Self.url)).bytes()
                    #expect(found == Data([7]))
                }
                #expect(server.requests.count == 3)
                #expect(loader.runningTransferCount == 0)
            }
        }

        @Test func retriesEndAtTheTimeout() async throws {
            let handler: LoopbackServer.Handler = { _, reply in try await reply.fail(503, "SlowDown") }
            try await LoopbackServer.serving([Self.path: handler]) { server in
                let loader = loader(server.root) {
                    ($0.engine.retryLimit, $0.firstByteTimeout) = (1_000_000, .milliseconds(300))
                }
                try await expectError(.timedOut, mentioning: "Configuration.firstByteTimeout") {
                    _ = try await loader.load(LoadRequest(url: Self.url))
                }
            }
        }

        /// A transfer that has to wait for one fails after `connectTimeout`.
        @Test func eachTransferHasAConnection() async throws {
            let (count, counter, gate) = (40, Counter(), Gate())
            let handler: LoopbackServer.Handler = { _, reply in
                if counter.next() == count { gate.open() }
                try await gate.waitUnlessCancelled()
                try await reply.send(200, [:], Data([7]))
            }
            try await LoopbackServer.serving([Self.path: handler]) { server in
                let loader = loader(server.root) {
                    $0.transferLimit = count
                    ($0.firstByteTimeout, $0.engine.connectTimeout) = (.seconds(60), .seconds(60))
                }
                try await withThrowingTaskGroup(of: Data.self) { group in
                    for _ in 0..<count {
                        group.addTask { try await loader.load(LoadRequest(url: Self.url)).bytes() }
                    }
                    for try await found in group { #expect(found == Data([7])) }
                }
            }
        }

        @Test func otherBucketsAreRefused() async throws {
            try await LoopbackServer.serving([Self.path: { _, reply in try await reply.send() }]) { server in
                let loader = loader(server.root) { $0.buckets = ["c"] }
                #expect(loader.restrictsAccess)
                try await expectError(.refused, mentioning: "Configuration.buckets") {
                    _ = try await loader.load(LoadRequest(url: Self.url))
                }
                try await expectError(.refused) { try loader.check(LoadRequest(url: Self.url)) }
                #expect(server.requests.isEmpty)
            }
        }

        @Test func releasedResponseEndsTheTransfer() async throws {
            let closed = Gate()
            let handler: LoopbackServer.Handler = { _, reply in
                try await reply.head(200)
                try await reply.waitForClose()
                closed.arrive()
            }
            try await LoopbackServer.serving([Self.path: handler]) { server in
                let loader = loader(server.root)
                _ = try await loader.load(LoadRequest(url: Self.url))
                await closed.waitForArrivals()
                #expect(loader.runningTransferCount == 0)
            }
        }

        @Test(arguments: ["s3://b/../c/a", "s3://b/a/%2e%2E/c", "s3://b/./a"])
        func relativePathIsRefused(_ text: String) async throws {
            let (url, root) = (try #require(URL(string: text)), try #require(URL(string: "http://127.0.0.1:1")))
            try await expectError(.invalidURL, mentioning: "relative") { try loader(root).check(LoadRequest(url: url)) }
        }

        @Test func cancellingAllEndsRunningTransfers() async throws {
            let handler: LoopbackServer.Handler = { _, reply in
                try await reply.head(200)
                try await reply.body(Data([1]))
                try await reply.waitForClose()
            }
            try await LoopbackServer.serving([Self.path: handler]) { server in
                let loader = loader(server.root)
                let response = try await loader.load(LoadRequest(url: Self.url))
                let reading = Task { try await response.bytes() }
                loader.cancelAll()
                try await expectError(.cancelled) { _ = try await reading.value }
            }
        }
    }

    extension LoadResponse {
        /// Returns the complete body.
        func bytes() async throws -> Data {
            guard case .chunks(let chunks) = body else { throw ImageError(.internal, .load, "there are no chunks") }
            var data = Data()
            for try await chunk in chunks { data += chunk }
            return data
        }
    }
#endif
