#if S3 && HTTP
    import DarkroomCore
    import DarkroomTestKit
    import FoundationEssentials
    import Synchronization
    import TestSupport
    import Testing

    @testable import DarkroomS3

    /// Servers that speak almost HTTP in place of an engine or of an endpoint of credentials. Whatever they send, each call
    /// ends with a result or an `ImageError`.
    @Suite(.bounded)
    struct NonsenseEngineTests {
        private static let roundCount = 15
        private static let deadline = Duration.milliseconds(50)

        @Test(arguments: ["000", "099"], ["Content-Length: 0\r\n\r\n", "\r\nabc"])
        func statusBelowOneHundredIsANetworkError(_ status: String, _ rest: String) async throws {
            try await ScriptedPeer.serving("HTTP/1.1 \(status) \r\n\(rest)") { port in
                let store = S3ObjectStore(at: Self.root(port)) { $0.retryLimit = 0 }
                try await expectError(.network, mentioning: "invalid status") { _ = try await store.bytes() }
                try await expectError(.network) {
                    try await store.put(Data([1]), as: "a", deadline: .seconds(60))
                }
                await Self.end { _ = try await Self.container(port).credentials() }
                await Self.end { _ = try await Self.instance(port).credentials() }
            }
        }

        @Test(arguments: ["HTTP/1.1 200 ", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;"])
        func partWithoutEndIsANetworkError(_ start: String) async throws {
            let answer = ScriptedPeer.Answer([Array(start.utf8) + [UInt8](repeating: 0x78, count: 1 << 20)])
            try await ScriptedPeer.serving({ _ in { $0.isEmpty ? .init() : answer } }) { port in
                let store = S3ObjectStore(at: Self.root(port)) { $0.retryLimit = 0 }
                try await expectError(.network, mentioning: "of more than") { _ = try await store.bytes() }
                let uri = ["AWS_CONTAINER_CREDENTIALS_FULL_URI": "http://127.0.0.1:\(port)/c"]
                let container = S3ContainerCredentials(environment: uri, timeout: .seconds(60))
                try await expectError(.network) { _ = try await container.credentials() }
            }
        }

        @Test(arguments: 40..<43) func callsEnd(_ seed: Int) async throws {
            let responses = Mutex(NonsenseResponses(seed: seed))
            try await ScriptedPeer.serving({ _ in responses.withLock { $0.script() } }) { port in
                let store = S3ObjectStore(at: Self.root(port)) { $0.retryLimit = 0 }
                for _ in 0..<Self.roundCount {
                    await Self.end { _ = try await store.object("a", byteLimit: 1_000, deadline: Self.deadline) }
                    await Self.end { _ = try await store.contains("a", deadline: Self.deadline) }
                    await Self.end { try await store.put(Data([1, 2]), as: "a", deadline: Self.deadline) }
                    await Self.end { try await store.remove("a", deadline: Self.deadline) }
                    await Self.end { try await store.removeAll(under: "a", deadline: Self.deadline) }
                }
                await store.shutdown()
            }
        }

        @Test(arguments: 50..<52) func loadsEnd(_ seed: Int) async throws {
            let responses = Mutex(NonsenseResponses(seed: seed))
            try await ScriptedPeer.serving({ _ in responses.withLock { $0.script() } }) { port in
                var configuration = S3Loader.Configuration(
                    engine: S3Configuration(endpoint: Self.root(port), credentials: S3Credentials.test))
                configuration.engine.retryLimit = 0
                (configuration.firstByteTimeout, configuration.idleTimeout) = (Self.deadline, Self.deadline)
                let loader = S3Loader(configuration)
                for _ in 0..<Self.roundCount * 2 {
                    await Self.end { _ = try await loader.load(LoadRequest(url: URL(string: "s3://b/a")!)).bytes() }
                }
                await loader.shutdown()
            }
        }

        @Test(arguments: 60..<62) func credentialsEnd(_ seed: Int) async throws {
            let responses = Mutex(NonsenseResponses(seed: seed))
            try await ScriptedPeer.serving({ _ in responses.withLock { $0.script() } }) { port in
                for _ in 0..<Self.roundCount {
                    await Self.end { _ = try await Self.container(port).credentials() }
                    await Self.end { _ = try await Self.instance(port).credentials() }
                }
            }
        }

        private static func root(_ port: Int) -> URL { URL(string: "http://127.0.0.1:\(port)")! }

        private static func container(_ port: Int) -> S3ContainerCredentials {
            let uri = ["AWS_CONTAINER_CREDENTIALS_FULL_URI": "http://127.0.0.1:\(port)/c"]
            return S3ContainerCredentials(environment: uri, timeout: deadline)
        }

        private static func instance(_ port: Int) -> S3InstanceCredentials {
            S3InstanceCredentials(endpoint: root(port), environment: [:], timeout: deadline)
        }

        private static func end(_ body: () async throws -> Void) async {
            do {
                try await body()
            } catch {
                #expect(error is ImageError, "\(error)")
            }
        }
    }
#endif
