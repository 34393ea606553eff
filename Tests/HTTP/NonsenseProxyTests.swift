#if HTTP
    import DarkroomCore
    import DarkroomHTTP
    import DarkroomTestKit
    import FoundationEssentials
    import Synchronization
    import TestSupport
    import Testing

    /// Proxies that speak almost HTTP or almost SOCKS. Whatever they send, each load ends with a response or an
    /// `ImageError`, and a later one succeeds once the proxy has come to reason.
    @Suite(.bounded)
    struct NonsenseProxyTests {
        private static let loadCount = 60

        enum Kind: CaseIterable { case http, granting, socks }

        @Test(arguments: 80..<82, Kind.allCases) func loadsEnd(_ seed: Int, _ kind: Kind) async throws {
            let responses = Mutex(NonsenseResponses(seed: seed))
            let replies = Mutex(NonsenseSOCKSReplies(seed: seed))
            let isSound = Mutex(false)
            let makeScript: @Sendable (String) -> ScriptedPeer.Script = { _ in
                let nonsense = responses.withLock { $0.script() }
                let script =
                    switch kind {
                    case .http: nonsense
                    case .granting: Self.granting(nonsense)
                    case .socks: replies.withLock { $0.next() }.script(then: nonsense)
                    }
                return { isSound.withLock(\.self) ? Self.sound($0) : script($0) }
            }
            try await ScriptedPeer.serving(makeScript) { port in
                let loader = Self.loader(kind, port: port)
                for _ in 0..<Self.loadCount {
                    async let other: Void = Self.load("https://pictures.test/", with: loader)
                    await Self.load("http://pictures.test/", with: loader)
                    await other
                }
                isSound.withLock { $0 = true }
                // On a busy machine, not every load ends in time.
                var data: Data?
                while data == nil { data = try? await loader.data(#require(URL(string: "http://other.test/"))) }
                #expect(data == Data("a".utf8))
                #expect(loader.transferCount == 0)
                await loader.shutdown()
            }
        }

        private static func loader(_ kind: Kind, port: Int) -> HTTPLoader {
            HTTPLoader {
                ($0.firstByteTimeout, $0.idleTimeout) = (.milliseconds(50), .milliseconds(50))
                $0.connectTimeout = .milliseconds(50)
                $0.resumeLimit = 0
                $0.proxy =
                    kind == .socks ? .socks(host: "127.0.0.1", port: port) : .http(host: "127.0.0.1", port: port)
            }
        }

        /// Opens every tunnel, which leads to a server that sends nonsense.
        private static func granting(_ nonsense: @escaping ScriptedPeer.Script) -> ScriptedPeer.Script {
            { $0.starts(with: "CONNECT ".utf8) ? sound($0) : nonsense($0) }
        }

        /// The answers of a sound proxy and of a sound server behind it.
        private static func sound(_ received: [UInt8]) -> ScriptedPeer.Answer {
            let request = String(decoding: received, as: UTF8.self)
            if received.isEmpty { return ScriptedPeer.Answer() }
            if received == [5, 1, 0] { return ScriptedPeer.Answer([[5, 0]]) }
            if received[0] == 5 { return ScriptedPeer.Answer([[5, 0, 0, 1, 0, 0, 0, 0, 0, 0]]) }
            let response =
                request.hasPrefix("CONNECT ")
                ? "HTTP/1.1 200 OK\r\n\r\n" : "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\na"
            return ScriptedPeer.Answer([Array(response.utf8)])
        }

        private static func load(_ text: String, with loader: HTTPLoader) async {
            do {
                _ = try await loader.data(URL(string: text)!)
            } catch {
                #expect(error is ImageError)
            }
        }
    }
#endif
