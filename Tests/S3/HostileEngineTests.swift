#if S3 && HTTP
    import DarkroomCore
    import DarkroomFleet
    import DarkroomTestKit
    import FoundationEssentials
    import TestSupport
    import Testing

    @testable import DarkroomS3

    /// No response of an engine crashes, hangs or fills the memory.
    @Suite(.bounded)
    struct HostileEngineTests {
        @Test(arguments: [500, 502, 503, 504, 429]) func transientStatusIsRetried(_ status: Int) async throws {
            let counter = Counter()
            let handler: LoopbackServer.Handler = { _, reply in
                if counter.next() < 3 { return try await reply.fail(status, "SlowDown") }
                try await reply.send(200, [:], Data([7]))
            }
            try await LoopbackServer.serving(["/b/a": handler]) { server in
                let found = try await S3ObjectStore(at: server.root).bytes()
                #expect(found == Data([7]))
                #expect(server.requests.count == 3)
            }
        }

        @Test func lastingFailureIsAStatusError() async throws {
            try await LoopbackServer.serving(["/b/a": { _, reply in try await reply.fail(503, "SlowDown") }]) {
                server in
                let store = S3ObjectStore(at: server.root) { $0.retryLimit = 1 }
                try await expectError(.status, mentioning: "503 (SlowDown)") {
                    try await store.put(Data([1]), as: "a", deadline: .seconds(60))
                }
                #expect(server.requests.count == 2)
            }
        }

        @Test(arguments: [true, false]) func closedConnectionIsRetried(_ sendsHead: Bool) async throws {
            let counter = Counter()
            let handler: LoopbackServer.Handler = { _, reply in
                guard counter.next() < 3 else { return try await reply.send(200, [:], Data([7])) }
                if sendsHead {
                    try await reply.head(200, ["Content-Length": "1"])
                }
                try await reply.close()
            }
            try await LoopbackServer.serving(["/b/a": handler]) { server in
                let found = try await S3ObjectStore(at: server.root).bytes()
                #expect(found == Data([7]))
            }
        }

        @Test func refusedConnectionIsANetworkError() async throws {
            let url = try await LoopbackServer.silent(scheme: "http") { $0 }
            let store = S3ObjectStore(at: try #require(URL(string: "http://127.0.0.1:\(url.port ?? 1)")))
            try await expectError(.network, mentioning: "127.0.0.1 failed: Connection refused") {
                _ = try await store.bytes()
            }
        }

        @Test func truncatedBodyIsANetworkError() async throws {
            let handler: LoopbackServer.Handler = { _, reply in
                try await reply.head(200, ["Content-Length": "100"])
                try await reply.body(Data([1, 2, 3]))
                try await reply.close()
            }
            try await LoopbackServer.serving(["/b/a": handler]) { server in
                try await expectError(.network) { _ = try await S3ObjectStore(at: server.root).bytes() }
                #expect(server.requests.count == 3)
            }
        }

        @Test(arguments: [["Content-Length": "1000000000000"], [:]])
        func endlessBodyIsNotReceived(_ headers: [String: String]) async throws {
            let handler: LoopbackServer.Handler = { _, reply in
                try await reply.head(200, headers)
                while true { try await reply.body(Data(count: 64 << 10)) }
            }
            try await LoopbackServer.serving(["/b/a": handler]) { server in
                try await expectError(.overLimit, mentioning: "more than 1000 bytes") {
                    _ = try await S3ObjectStore(at: server.root).bytes()
                }
                #expect(server.byteCount(writtenTo: "/b/a") < 64 << 20)
            }
        }

        @Test func endlessErrorIsNotReceived() async throws {
            let handler: LoopbackServer.Handler = { _, reply in
                try await reply.head(403)
                while true { try await reply.body(Data(repeating: UInt8(ascii: "<"), count: 64 << 10)) }
            }
            try await LoopbackServer.serving(["/b/a": handler]) { server in
                try await expectError(.status, mentioning: "403") {
                    _ = try await S3ObjectStore(at: server.root).bytes()
                }
            }
        }

        @Test func redirectIsNotFollowed() async throws {
            let handler: LoopbackServer.Handler = { _, reply in
                try await reply.fail(
                    301, "PermanentRedirect", ["Location": "/b/c", "x-amz-bucket-region": "eu-central-1"])
            }
            try await LoopbackServer.serving(["/b/a": handler]) { server in
                try await expectError(
                    .status, mentioning: "status 301 (PermanentRedirect, the region is eu-central-1)"
                ) { _ = try await S3ObjectStore(at: server.root).bytes() }
                #expect(server.requests.count == 1)
            }
        }

        @Test func wrongRegionIsAnErrorThatNamesTheRightOne() async throws {
            let handler: LoopbackServer.Handler = { _, reply in
                try await reply.send(
                    400, [:],
                    Data("<Error><Code>AuthorizationHeaderMalformed</Code><Region>eu-central-1</Region></Error>".utf8))
            }
            let message = "status 400 (AuthorizationHeaderMalformed, the region is eu-central-1)"
            try await LoopbackServer.serving(["/b/a": handler]) { server in
                try await expectError(.status, mentioning: message) {
                    _ = try await S3ObjectStore(at: server.root).bytes()
                }
                let loader = S3Loader(.init(engine: S3ObjectStore(at: server.root).configuration))
                try await expectError(.status, mentioning: message) {
                    _ = try await loader.load(LoadRequest(url: try #require(URL(string: "s3://b/a"))))
                }
            }
        }

        @Test(arguments: [204, 206, 302, 400, 401, 405, 412, 416, 418, 599])
        func otherStatusIsAnError(_ status: Int) async throws {
            let handler: LoopbackServer.Handler = { _, reply in try await reply.send(status, [:]) }
            try await LoopbackServer.serving(["/b/a": handler]) { server in
                let store = S3ObjectStore(at: server.root)
                try await expectError(.status, mentioning: "status \(status)") { _ = try await store.bytes() }
                try await expectError(.status, mentioning: "status \(status)") {
                    _ = try await store.contains("a", deadline: .seconds(60))
                }
            }
        }

        @Test(arguments: ["", "<html>", "<Error/>", "{}", "<ListBucketResult><Contents>"])
        func invalidListIsAnError(_ text: String) async throws {
            let handler: LoopbackServer.Handler = { _, reply in try await reply.send(200, [:], Data(text.utf8)) }
            try await LoopbackServer.serving(["/b/": handler]) { server in
                try await expectError(.network, mentioning: "invalid list") {
                    try await S3ObjectStore(at: server.root).removeAll(under: "a", deadline: .seconds(60))
                }
            }
        }

        @Test(arguments: [
            Data.list(["x/1"], nextToken: "t", isTruncated: true), Data.list([], isTruncated: true),
        ])
        func listWithoutAnEndIsAnError(_ body: Data) async throws {
            let routes: [String: LoopbackServer.Handler] = [
                "/b/": { _, reply in try await reply.send(200, [:], body) },
                "/b/x/1": { _, reply in try await reply.send(204) },
            ]
            try await LoopbackServer.serving(routes) { server in
                try await expectError(.network, mentioning: "does not end") {
                    try await S3ObjectStore(at: server.root).removeAll(under: "x/", deadline: .seconds(60))
                }
            }
        }

        @Test func objectsOutsideOfThePrefixAreNotRemoved() async throws {
            let routes: [String: LoopbackServer.Handler] = [
                "/b/": { _, reply in try await reply.send(200, [:], .list(["x/1", "y/1", "", "x", "../x/1"])) },
                "/b/x/1": { _, reply in try await reply.send(204) },
            ]
            try await LoopbackServer.serving(routes) { server in
                try await S3ObjectStore(at: server.root).removeAll(under: "x/", deadline: .seconds(60))
                #expect(server.requests.filter { $0.method == "DELETE" }.map(\.path) == ["/b/x/1"])
            }
        }

        @Test func failingRemovalDoesNotKeepTheOthers() async throws {
            let routes: [String: LoopbackServer.Handler] = [
                "/b/": { _, reply in try await reply.send(200, [:], .list((0..<100).map { "x/\($0)" })) },
                "/b/x/3": { _, reply in try await reply.fail(403, "AccessDenied") },
            ]
            try await LoopbackServer.serving(routes) { server in
                try await expectError(.status, mentioning: "removing the object x/3") {
                    try await S3ObjectStore(at: server.root).removeAll(under: "x/", deadline: .seconds(60))
                }
                #expect(server.requests.count { $0.method == "DELETE" } == 100)
            }
        }

        @Test func removalEndsIfNoObjectCanBeRemoved() async throws {
            let names = (0..<100).map { "x/\($0)" }
            var routes: [String: LoopbackServer.Handler] = [
                "/b/": { _, reply in try await reply.send(200, [:], .list(names)) }
            ]
            for name in names { routes["/b/\(name)"] = { _, reply in try await reply.fail(403, "AccessDenied") } }
            try await LoopbackServer.serving(routes) { server in
                try await expectError(.status, mentioning: "removing the object x/") {
                    try await S3ObjectStore(at: server.root).removeAll(under: "x/", deadline: .seconds(60))
                }
                #expect(server.requests.count { $0.method == "DELETE" } == 16)
            }
        }

        @Test func nextPageIsRequestedByItsTokenOrTheLastKey() async throws {
            let counter = Counter()
            let routes: [String: LoopbackServer.Handler] = [
                "/b/": { _, reply in
                    let number = counter.next()
                    try await reply.send(
                        200, [:], .list(["x/\(number)"], nextToken: number == 1 ? "t=" : nil, isTruncated: number < 3))
                }
            ]
            try await LoopbackServer.serving(routes) { server in
                try await S3ObjectStore(at: server.root).removeAll(under: "x/", deadline: .seconds(60))
                let lists = server.requests.map(\.path).filter { $0.hasPrefix("/b/?") }
                try #require(lists.count == 3)
                #expect(lists[0] == "/b/?list-type=2&max-keys=1000&prefix=x%2F")
                #expect(lists[1].contains("continuation-token=t%3D&"))
                #expect(lists[2].hasSuffix("&start-after=x%2F2"))
            }
        }

        @Test func missingBucketIsAnError() async throws {
            let missing: LoopbackServer.Handler = { request, reply in
                if request.method == "HEAD" { return try await reply.send(404) }
                try await reply.fail(404, "NoSuchBucket")
            }
            try await LoopbackServer.serving(["/b/a": missing, "/b/": missing]) { server in
                let store = S3ObjectStore(at: server.root)
                try await expectError(.status, mentioning: "NoSuchBucket") { _ = try await store.bytes() }
                try await expectError(.status, mentioning: "NoSuchBucket") {
                    _ = try await store.contains("a", deadline: .seconds(60))
                }
                try await expectError(.status, mentioning: "NoSuchBucket") {
                    try await store.remove("a", deadline: .seconds(60))
                }
                try await expectError(.status, mentioning: "NoSuchBucket") {
                    try await store.removeAll(under: "a", deadline: .seconds(60))
                }
            }
        }

        @Test func silentEngineFulfilsTheContract() async throws {
            try await LoopbackServer.silent(scheme: "http") { url in
                let root = try #require(URL(string: "http://127.0.0.1:\(url.port ?? 1)"))
                let contract = ObjectStoreContract(S3ObjectStore(at: root))
                try await contract.checkDeadlines { try await $0() }
                try await contract.checkCancellation { try await $0() }
            }
        }

        @Test func endlessRetriesEndAtTheDeadline() async throws {
            let handler: LoopbackServer.Handler = { _, reply in try await reply.fail(500, "InternalError") }
            try await LoopbackServer.serving(["/b/a": handler]) { server in
                let store = S3ObjectStore(at: server.root) { $0.retryLimit = 1_000_000 }
                try await expectError(.timedOut, mentioning: "did not respond within") {
                    try await store.put(Data(), as: "a", deadline: .milliseconds(300))
                }
            }
        }

        @Test(arguments: [Duration.zero, .seconds(-1)]) func passedDeadlineSendsNothing(_ deadline: Duration)
            async throws
        {
            try await LoopbackServer.serving([:]) { server in
                try await expectError(.timedOut) {
                    _ = try await S3ObjectStore(at: server.root).contains("a", deadline: deadline)
                }
                #expect(server.requests.isEmpty)
            }
        }

        @Test func farDeadlineIsNoDeadline() async throws {
            try await LoopbackServer.serving(["/b/a": { _, reply in try await reply.send(200, [:], Data([1])) }]) {
                server in
                let object = try await S3ObjectStore(at: server.root).object(
                    "a", byteLimit: 1, deadline: .seconds(Int64.max))
                #expect(object?.bytes == Data([1]))
            }
        }
    }
#endif
