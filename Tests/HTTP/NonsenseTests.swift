#if HTTP
    import DarkroomCore
    import DarkroomHTTP
    import DarkroomTestKit
    import FoundationEssentials
    import Synchronization
    import TestSupport
    import Testing

    /// Servers that speak almost HTTP. Whatever they send, each load ends with a response or an `ImageError`.
    ///
    /// A trap in a package shows as a test run that ends early.
    @Suite(.bounded)
    struct NonsenseTests {
        private static let loadCount = 150

        @Test(arguments: 0..<3) func loadsEnd(_ seed: Int) async throws {
            let responses = Mutex(NonsenseResponses(seed: seed))
            try await loads(scheme: "http") { _ in responses.withLock { $0.script() } }
        }

        @Test(arguments: 10..<12) func secureLoadsEnd(_ seed: Int) async throws {
            let responses = Mutex(NonsenseResponses(seed: seed))
            try await loads(protocols: ["http/1.1"]) { _ in responses.withLock { $0.script() } }
        }

        /// Only a server that refuses HTTP/2 at times can end the process of a loader that allows it.
        @Test(arguments: 30..<33) func loadsOverHTTP2End(_ seed: Int) async throws {
            let frames = Mutex(NonsenseFrames(seed: seed))
            try await loads(protocols: ["h2"], count: 40, allowsHTTP2: true) { _ in frames.withLock { $0.script() } }
        }

        @Test(arguments: 20..<22) func loadsEndIfTheServerSpeaksHTTP2(_ seed: Int) async throws {
            let responses = Mutex(NonsenseResponses(seed: seed))
            let frames = Mutex(NonsenseFrames(seed: seed))
            try await loads(protocols: ["h2", "http/1.1", "http/1.1"]) { offered in
                offered == "h2" ? frames.withLock { $0.script() } : responses.withLock { $0.script() }
            }
        }

        private func loads(
            scheme: String = "https", protocols: [String] = [], count: Int = loadCount, allowsHTTP2: Bool = false,
            _ makeScript: @escaping @Sendable (String) -> ScriptedPeer.Script
        ) async throws {
            try await ScriptedPeer.serving(protocols: protocols, makeScript) { port in
                let loader = HTTPLoader {
                    ($0.firstByteTimeout, $0.idleTimeout) = (.milliseconds(50), .milliseconds(50))
                    $0.resumeLimit = 0
                    $0.connectTimeout = .milliseconds(500)
                    ($0.allowsInvalidCertificates, $0.allowsHTTP2) = (true, allowsHTTP2)
                }
                let url = URL(string: "\(scheme)://127.0.0.1:\(port)/a")!
                for _ in 0..<count {
                    // Two at a time, so that connections are shared.
                    async let other: Void = load(url, with: loader)
                    await load(url, with: loader)
                    await other
                }
                #expect(loader.transferCount == 0)
                await loader.shutdown()
            }
        }

        private func load(_ url: URL, with loader: HTTPLoader) async {
            do {
                _ = try await loader.data(url)
            } catch {
                #expect(error is ImageError)
            }
        }
    }
#endif
