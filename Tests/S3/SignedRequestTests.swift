#if S3 && HTTP
    import DarkroomCore
    import DarkroomFleet
    import DarkroomTestKit
    import FoundationEssentials
    import Synchronization
    import TestSupport
    import Testing

    @testable import DarkroomS3

    /// Requests are sent to the right place, and signed by the engine's clock with the current credentials.
    @Suite(.bounded)
    struct SignedRequestTests {
        @Test func requestIsSigned() async throws {
            try await LoopbackServer.serving(["/b/a": { _, reply in try await reply.send() }]) { server in
                try await S3ObjectStore(at: server.root).put(Data("x".utf8), as: "a", deadline: .seconds(60))
                let headers = try #require(server.requests.first).headers
                #expect(
                    headers["x-amz-content-sha256"]
                        == "2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881")
                #expect(headers["authorization"]?.hasPrefix("AWS4-HMAC-SHA256 Credential=AKDARKROOM/") == true)
                #expect(
                    headers["authorization"]?.contains("SignedHeaders=host;x-amz-content-sha256;x-amz-date,") == true)
                #expect(headers["content-length"] == "1")
                #expect(headers["x-amz-security-token"] == nil)
            }
        }

        @Test func bucketIsPartOfTheHost() async throws {
            try await LoopbackServer.serving(["/a/c": { _, reply in try await reply.send(200, [:], Data([1])) }]) {
                server in
                let port = server.root.port ?? 1
                let store = S3ObjectStore(at: try #require(URL(string: "http://s3.test:\(port)"))) {
                    $0.addressing = .virtualHost
                    $0.hostAddresses = ["b.s3.test": "127.0.0.1"]
                }
                let found = try await store.bytes("a/c")
                #expect(found == Data([1]))
                #expect(server.requests.first?.headers["host"] == "b.s3.test:\(port)")
            }
        }

        @Test func certificateOfAGivenAuthorityIsTrusted() async throws {
            let routes: [String: LoopbackServer.Handler] = ["/b/a": { _, reply in try await reply.send(200) }]
            try await LoopbackServer.serving(routes, isSecure: true) { server in
                let url = try #require(URL(string: "https://pictures.test:\(server.root.port ?? 1)"))
                let trusting = S3ObjectStore(at: url) {
                    $0.trustRoots = .pem(Data(LoopbackIdentity.certificate.utf8))
                    $0.hostAddresses = ["pictures.test": "127.0.0.1"]
                }
                let found = try await trusting.bytes()
                #expect(found == Data())
                let other = S3ObjectStore(at: url) { $0.hostAddresses = ["pictures.test": "127.0.0.1"] }
                try await expectError(.network, mentioning: "secure connection") { _ = try await other.bytes() }
                #expect(server.requests.count == 1)
            }
        }

        private static func date(in hours: Int) -> String {
            let date = Date.now + Double(hours * 3_600)
            let parts = date.timestamp.utf8.map { String(UnicodeScalar($0)) }
            let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
            let month = months[(Int(parts[4...5].joined()) ?? 1) - 1]
            return "Mon, \(parts[6...7].joined()) \(month) \(parts[0...3].joined()) "
                + "\(parts[9...10].joined()):\(parts[11...12].joined()):\(parts[13...14].joined()) GMT"
        }

        @Test(arguments: [(403, "RequestTimeTooSkewed", 5), (403, "AccessDenied", -5), (400, "AccessDenied", 3)])
        func requestIsSignedAgainByTheClockOfTheEngine(_ status: Int, _ code: String, _ hours: Int) async throws {
            let handler: LoopbackServer.Handler = { request, reply in
                let hour = (Date.now + Double(hours * 3_600)).timestamp.prefix(11)
                let isRight = request.headers["x-amz-date"]?.hasPrefix(hour) == true
                guard isRight else { return try await reply.fail(status, code, ["Date": Self.date(in: hours)]) }
                try await reply.send(200, ["Date": Self.date(in: hours), "Last-Modified": Self.date(in: hours - 1)])
            }
            try await LoopbackServer.serving(["/b/a": handler]) { server in
                let store = S3ObjectStore(at: server.root)
                let object = try #require(try await store.object("a", byteLimit: 10, deadline: .seconds(60)))
                #expect(object.bytes.isEmpty && object.age == .seconds(3_600))
                #expect(server.requests.count == 2)
                _ = try await store.bytes()
                #expect(server.requests.count == 3)
            }
        }

        @Test(arguments: ["RequestTimeTooSkewed", "AccessDenied"])
        func lastingRejectionIsAnError(_ code: String) async throws {
            let handler: LoopbackServer.Handler = { _, reply in
                try await reply.fail(403, code, ["Date": Self.date(in: 2)])
            }
            try await LoopbackServer.serving(["/b/a": handler]) { server in
                try await expectError(.status, mentioning: "403 (\(code))") {
                    _ = try await S3ObjectStore(at: server.root).bytes()
                }
                #expect(server.requests.count == 2)
            }
        }

        @Test func dateOfASuccessChangesNothing() async throws {
            let handler: LoopbackServer.Handler = { _, reply in try await reply.send(200, ["Date": Self.date(in: 9)]) }
            try await LoopbackServer.serving(["/b/a": handler]) { server in
                let store = S3ObjectStore(at: server.root)
                _ = try await store.bytes()
                _ = try await store.bytes()
                let dates = server.requests.compactMap { $0.headers["x-amz-date"] }
                #expect(dates.count == 2)
                #expect(dates.allSatisfy { $0 <= (Date.now + 60).timestamp })
            }
        }

        @Test func expiredTokenIsReplaced() async throws {
            let counter = Counter()
            let provider = ProviderStub { "token\(counter.next())" }
            let handler: LoopbackServer.Handler = { request, reply in
                guard request.headers["x-amz-security-token"] == "token2" else {
                    return try await reply.fail(400, "ExpiredToken")
                }
                try await reply.send(200)
            }
            try await LoopbackServer.serving(["/b/a": handler]) { server in
                let store = S3ObjectStore(at: server.root) { $0.credentials = provider }
                let found = try await store.bytes()
                #expect(found == Data())
                #expect(server.requests.count == 2)
            }
        }

        @Test(arguments: ["a\r\nHost: x", "ä", "a b"]) func unsendableTokenIsRefused(_ token: String) async throws {
            try await LoopbackServer.serving(["/b/a": { _, reply in try await reply.send(200) }]) { server in
                let store = S3ObjectStore(at: server.root) { $0.credentials = ProviderStub { token } }
                try await expectError(.refused, mentioning: "cannot be sent") { _ = try await store.bytes() }
                #expect(server.requests.isEmpty)
            }
        }

        @Test func shutDownStoreFails() async throws {
            try await LoopbackServer.serving(["/b/a": { _, reply in try await reply.send(200) }]) { server in
                let store = S3ObjectStore(at: server.root)
                _ = try await store.bytes()
                await store.shutdown()
                try await expectError(.refused, mentioning: "shut down") { _ = try await store.bytes() }
            }
        }

        @Test(arguments: ["ftp://a", "http://", "http://a/b", "http://a?b", "http://u@a", "a"])
        func invalidEndpointIsRefused(_ text: String) async throws {
            let store = S3ObjectStore(at: try #require(URL(string: text)))
            try await expectError(.refused, mentioning: "S3Configuration.endpoint") { try store.validate() }
            try await expectError(.refused) { _ = try await store.bytes() }
            try await expectError(.refused) { try await store.removeAll(under: "", deadline: .seconds(1)) }
        }

        @Test(arguments: ["", "..", "a/../b", "./a"]) func ambiguousNameIsRefused(_ name: String) async throws {
            let store = S3ObjectStore(at: try #require(URL(string: "http://127.0.0.1:1")))
            try await expectError(.refused) { _ = try await store.bytes(name) }
        }

        @Test func amazonIsReachedByItsRegion() throws {
            let configuration = S3Configuration.amazon(region: "eu-central-1", credentials: S3Credentials.test)
            try configuration.validate()
            #expect(configuration.endpoint.absoluteString == "https://s3.eu-central-1.amazonaws.com")
            #expect(throws: ImageError.self) {
                try S3Configuration.amazon(region: "eu central", credentials: S3Credentials.test).validate()
            }
        }

        @Test func bucketIsLookedUpOnce() async throws {
            let list: LoopbackServer.Handler = { _, reply in try await reply.send(200, [:], .list([])) }
            try await LoopbackServer.serving(["/b/": list]) { server in
                let store = S3ObjectStore(at: server.root)
                for _ in 0..<3 {
                    let isContained = try await store.contains("a", deadline: .seconds(60))
                    #expect(!isContained)
                }
                #expect(server.requests.map(\.method) == ["HEAD", "GET", "HEAD", "HEAD"])
            }
        }

        @Test(arguments: ["", "a/b", "a b", "..", "ä"]) func invalidBucketIsRefused(_ bucket: String) async throws {
            let url = try #require(URL(string: "http://127.0.0.1:1"))
            let store = S3ObjectStore(endpoint: url, bucket: bucket, credentials: S3Credentials.test)
            try await expectError(.refused, mentioning: "not the name of a bucket") { try store.validate() }
        }
    }

    /// A provider of temporary credentials.
    struct ProviderStub: S3CredentialsProvider {
        let token: @Sendable () -> String

        init(_ token: @escaping @Sendable () -> String) { self.token = token }

        func credentials() async throws -> S3Credentials? {
            var credentials = S3Credentials.test
            credentials.sessionToken = token()
            return credentials
        }
    }
#endif
