#if HTTP
    import DarkroomCore
    import DarkroomHTTP
    import DarkroomTestKit
    import FoundationEssentials
    import Synchronization
    import TestSupport
    import Testing

    /// Servers that break the rules of a connection of HTTP/2, and leave it open.
    @Suite(.bounded)
    struct HostileConnectionTests {
        enum Violation: CaseIterable {
            case silence, frameBeforeSettings, goAwayBeforeSettings, noStreams, goAway, invalidFrame, invalidWindow,
                push

            var script: ScriptedPeer.Script {
                switch self {
                case .silence: Self.introduction([])
                case .frameBeforeSettings: Self.introduction(Frame.data([1]))
                case .goAwayBeforeSettings: Self.introduction(Self.goAway(1))
                case .noStreams: Self.introduction(Frame.frame(4, [0, 3, 0, 0, 0, 0]))
                case .goAway: ScriptedPeer.frames { Self.sound($0) + [Self.goAway($0)] }
                case .invalidFrame: ScriptedPeer.frames { [Frame.frame(6, stream: $0)] }
                case .invalidWindow: ScriptedPeer.frames { _ in [Frame.frame(8, Frame.bytes(0))] }
                // A push is permitted until the server has acknowledged the settings of the client.
                case .push: ScriptedPeer.frames { [Self.push($0)] + Self.sound($0) + Self.sound($0 + 1) }
                }
            }

            private static func introduction(_ bytes: [UInt8]) -> ScriptedPeer.Script {
                { ScriptedPeer.Answer($0.isEmpty ? [bytes] : []) }
            }

            static func goAway(_ stream: UInt32) -> [UInt8] {
                Frame.frame(7, Frame.bytes(stream) + Frame.bytes(0))
            }

            private static func push(_ stream: UInt32) -> [UInt8] {
                let fields = [(":method", "GET"), (":scheme", "https"), (":path", "/"), (":authority", "a")]
                let block = Frame.block(fields.map { (name: $0, value: $1) })
                return Frame.frame(5, flags: 4, stream: stream, Frame.bytes(stream + 1) + block)
            }

            static func sound(_ stream: UInt32) -> [[UInt8]] {
                [Frame.headers([(":status", "200")], stream: stream), Frame.data([1], stream: stream)]
            }
        }

        @Test(arguments: Violation.allCases) func loadsAndShutdownEnd(_ violation: Violation) async throws {
            try await ScriptedPeer.serving(protocols: ["h2"], { _ in violation.script }) { port in
                let url = Self.url(port)
                let loader = Self.loader {
                    ($0.firstByteTimeout, $0.connectTimeout) = (.milliseconds(100), .milliseconds(500))
                }
                for _ in 0..<3 {
                    do {
                        let data = try await loader.data(url)
                        #expect(data == Data([1]))
                    } catch {
                        #expect(error is ImageError)
                    }
                }
                await loader.shutdown()
            }
        }

        @Test(arguments: [Violation.goAway, .invalidFrame, .invalidWindow, .push])
        func connectionIsReplacedAfterAViolation(_ violation: Violation) async throws {
            let count = Mutex(0)
            let makeScript: @Sendable (String) -> ScriptedPeer.Script = { _ in
                let number = count.withLock { count in
                    count += 1
                    return count
                }
                return number == 1 ? violation.script : ScriptedPeer.frames(Violation.sound)
            }
            try await ScriptedPeer.serving(protocols: ["h2"], makeScript) { port in
                let url = Self.url(port)
                let loader = Self.loader { ($0.firstByteTimeout, $0.connectTimeout) = (.seconds(60), .seconds(60)) }
                if violation == .goAway {
                    _ = try await loader.data(url)
                } else {
                    try await expectError(.network) { _ = try await loader.data(url) }
                }
                let data = try await loader.data(url)
                #expect(data == Data([1]))
                #expect(count.withLock(\.self) == 2)
                await loader.shutdown()
            }
        }

        /// A server that ends the connection when the second request over it arrives, or refuses that.
        @Test(arguments: [Violation.goAway(1), Frame.frame(3, stream: 3, Frame.bytes(7))])
        func refusedRequestIsSentAgain(_ refusal: [UInt8]) async throws {
            let count = Mutex(0)
            let script = { @Sendable (_: String) in
                ScriptedPeer.frames { stream in
                    let number = count.withLock { count in
                        count += 1
                        return count
                    }
                    return number == 2 ? [refusal] : Violation.sound(stream)
                }
            }
            try await ScriptedPeer.serving(protocols: ["h2"], script) { port in
                let loader = Self.loader { _ in }
                for _ in 0..<2 {
                    let data = try await loader.data(Self.url(port))
                    #expect(data == Data([1]))
                }
                #expect(count.withLock(\.self) == 3)
                await loader.shutdown()
            }
        }

        /// How a server ends the connection when a request arrives.
        enum End: CaseIterable {
            case closes, resets, closesAfterGoAway, fallsSilent, violates

            func answer(_ stream: UInt32) -> ScriptedPeer.Answer {
                switch self {
                case .closes: .init(closes: true)
                case .resets: .init(resets: true)
                case .closesAfterGoAway: .init([Violation.goAway(stream)], closes: true)
                case .fallsSilent: .init()
                case .violates: .init([Frame.frame(6, stream: stream)])
                }
            }
        }

        @Test(arguments: End.allCases) func requestIsSentAgainIfItsReusedConnectionEnds(_ end: End) async throws {
            let count = try await Self.requestCount(end, atRequest: 2) { loader, url in
                for number in 1...2 {
                    guard end == .violates, number == 2 else {
                        let data = try await loader.data(url)
                        #expect(data == Data([1]))
                        continue
                    }
                    try await expectError(.network) { _ = try await loader.data(url) }
                }
            }
            #expect(count == (end == .violates ? 2 : 3))
        }

        @Test(arguments: End.allCases) func requestIsNotSentAgainIfItsNewConnectionEnds(_ end: End) async throws {
            let count = try await Self.requestCount(end, atRequest: 1) { loader, url in
                try await expectError(end == .fallsSilent ? .timedOut : .network) { _ = try await loader.data(url) }
            }
            #expect(count == 1)
        }

        #if os(Linux)
            /// A server whose network is gone after its first response.
            @Test(arguments: ["http", "https"])
            func requestIsSentAgainIfItsConnectionTransmitsNothing(scheme: String) async throws {
                let connectionCount = Mutex(0)
                let makeScript = { @Sendable (_: String) -> ScriptedPeer.Script in
                    let isFirst = connectionCount.withLock { count in
                        count += 1
                        return count == 1
                    }
                    var reader = FrameReader()
                    return { received in
                        let isPlain = scheme == "http"
                        guard !received.isEmpty else { return ScriptedPeer.Answer(isPlain ? [] : [Frame.settings]) }
                        let response = Array("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n\u{1}".utf8)
                        let answer = isPlain ? [response] : reader.requests(in: received).flatMap(Violation.sound)
                        return ScriptedPeer.Answer(answer, vanishes: isFirst && !answer.isEmpty)
                    }
                }
                try await ScriptedPeer.serving(protocols: scheme == "http" ? [] : ["h2"], makeScript) { port in
                    let loader = Self.loader { $0.pingTimeout = .milliseconds(200) }
                    for _ in 0..<2 {
                        let data = try await loader.data(Self.url(port, scheme))
                        #expect(data == Data([1]))
                    }
                    #expect(connectionCount.withLock(\.self) == 2)
                    await loader.shutdown()
                }
            }
        #endif

        /// The server needs a while for its response, but answers pings.
        @Test func slowResponseIsAwaited() async throws {
            let counts = Mutex((requests: 0, pings: 0))
            let makeScript = { @Sendable (_: String) -> ScriptedPeer.Script in
                var (reader, stream) = (FrameReader(), UInt32(0))
                return { received in
                    guard !received.isEmpty else { return ScriptedPeer.Answer([Frame.settings]) }
                    let frames = reader.frames(in: received)
                    let pings = frames.filter { $0.type == 6 && $0.flags & 1 == 0 }
                    let requests = frames.filter { $0.type == 1 }
                    stream = requests.first?.stream ?? stream
                    let answersRequest = counts.withLock { counts in
                        counts.requests += requests.count
                        counts.pings += pings.count
                        return counts.pings == 2 && !pings.isEmpty
                    }
                    return ScriptedPeer.Answer(
                        pings.map { Frame.frame(6, flags: 1, $0.payload) }
                            + (answersRequest ? Violation.sound(stream) : []))
                }
            }
            try await ScriptedPeer.serving(protocols: ["h2"], makeScript) { port in
                let loader = Self.loader { $0.pingTimeout = .milliseconds(500) }
                let data = try await loader.data(Self.url(port))
                #expect(data == Data([1]))
                #expect(counts.withLock { $0 } == (1, 2))
                await loader.shutdown()
            }
        }

        /// Runs `body` with a server that responds to requests, and ends the connection when the one with the number `last`
        /// arrives. Returns their number.
        private static func requestCount(
            _ end: End, atRequest last: Int, _ body: @Sendable (HTTPLoader, URL) async throws -> Void
        ) async throws -> Int {
            let count = Mutex(0)
            let makeScript = { @Sendable (_: String) -> ScriptedPeer.Script in
                var reader = FrameReader()
                return { received in
                    guard !received.isEmpty else { return ScriptedPeer.Answer([Frame.settings]) }
                    let streams = reader.requests(in: received)
                    let number = count.withLock { count in
                        count += streams.count
                        return count
                    }
                    guard let stream = streams.first, number == last else {
                        return ScriptedPeer.Answer(streams.flatMap(Violation.sound))
                    }
                    return end.answer(stream)
                }
            }
            try await ScriptedPeer.serving(protocols: ["h2"], makeScript) { port in
                let loader = Self.loader { $0.pingTimeout = .milliseconds(200) }
                try await body(loader, Self.url(port))
                await loader.shutdown()
            }
            return count.withLock(\.self)
        }

        private static func loader(_ configure: (inout HTTPLoader.Configuration) -> Void) -> HTTPLoader {
            HTTPLoader {
                ($0.allowsInvalidCertificates, $0.allowsHTTP2) = (true, true)
                $0.resumeLimit = 0
                configure(&$0)
            }
        }

        private static func url(_ port: Int, _ scheme: String = "https") -> URL {
            URL(string: "\(scheme)://127.0.0.1:\(port)/")!
        }
    }
#endif
