#if HTTP
    import DarkroomCore
    import DarkroomPlatform
    import DarkroomTestKit
    import FoundationEssentials
    import Synchronization
    import TestSupport
    import Testing

    @testable import DarkroomHTTP

    /// Servers with each of the faults of `NetworkFault.all`.
    @Suite(.bounded)
    struct NetworkFaultTests {
        @Test(arguments: NetworkFault.all) func outcomeIsTheStatedOne(_ fault: NetworkFault) async throws {
            let count = Counter()
            try await Self.serving(fault, count) { port in
                let loader = Self.loader(timeout: fault.kinds.contains(.timedOut) ? .seconds(1) : nil)
                let gallery = try Gallery(loader)
                let url = Self.url(port, "/", isSecure: fault.isLoadedSecurely)
                let result = await Result.of { try await gallery.grey(url, Self.limited) }
                switch result {
                case .success(let grey): #expect(grey == 77 && fault.kinds.isEmpty)
                case .failure(let error): #expect(fault.kinds.contains(error.kind), "\(error)")
                }
                #expect(count.value == fault.requestCount || fault.isLoadedSecurely)
                #expect(gallery.data.keys.isEmpty == !fault.kinds.isEmpty)
                #expect(loader.transferCount == 0)
                // What was left over on the connection is no answer to the next request.
                if !fault.isLoadedSecurely, !fault.kinds.contains(.timedOut) {
                    #expect(try await gallery.grey(Self.url(port, "/sound"), Self.limited) == 77)
                }
                await loader.shutdown()
            }
        }

        /// A server that closes each connection after a response, without saying so.
        @Test func requestThatCannotBeSentIsSentOverAnotherConnection() async throws {
            try await ScriptedPeer.serving({ _ in
                { $0.isEmpty ? .init() : .init([NetworkFault.sound], closes: true) }
            }) { port in
                let loader = Self.loader(timeout: nil)
                for _ in 0..<300 {
                    let data = try await loader.data(Self.url(port, "/"))
                    #expect(data == Data(NetworkFault.picture))
                }
                await loader.shutdown()
            }
        }

        /// A server that closes, or resets, each connection when the second request over it arrives.
        @Test(arguments: [false, true], [false, true])
        func requestWithoutResponseIsSentAgainOverAnotherConnection(_ resets: Bool, isSecure: Bool) async throws {
            let (count, protocols) = (Counter(), isSecure ? ["http/1.1"] : [])
            let makeScript: @Sendable (String) -> ScriptedPeer.Script = { _ in
                let served = Counter()
                return { received in
                    guard !received.isEmpty else { return .init() }
                    _ = count.next()
                    guard served.next() > 1 else { return .init([NetworkFault.sound]) }
                    return .init(closes: !resets, resets: resets)
                }
            }
            try await ScriptedPeer.serving(protocols: protocols, makeScript) { port in
                let loader = Self.loader(timeout: nil, allowsInvalidCertificates: true)
                for _ in 0..<3 {
                    let data = try await loader.data(Self.url(port, "/", isSecure: isSecure))
                    #expect(data == Data(NetworkFault.picture))
                }
                #expect(count.value == 5)
                await loader.shutdown()
            }
        }

        #if os(Linux)
            /// In a process of its own, all faults, four times over.
            @Test func nothingIsLeft() async throws {
                await #expect(processExitsWith: .success) {
                    var counts: [(files: Int, threads: Int, kilobytes: Int)] = []
                    for _ in 0..<4 {
                        for fault in NetworkFault.all { try await NetworkFaultTests.run(fault) }
                        counts.append(try await NetworkFaultTests.settledCounts(counts.first?.files))
                    }
                    // A fault that leaves something does so twice between the counts that are compared.
                    precondition(counts[1].files <= counts[0].files && counts[3].files <= counts[0].files, "\(counts)")
                    precondition(counts[3].threads <= counts[1].threads, "\(counts)")
                    // The address sanitizer keeps freed memory for a while, and looks for leaks itself.
                    let isAddressSanitized = unsafe dlsym(nil, "__asan_init") != nil
                    let growth = counts[3].kilobytes - counts[1].kilobytes
                    precondition(isAddressSanitized || growth < 8 << 10, "\(counts)")
                }
            }

            @Test func aThousandConnectionsAreServedAndClosed() async throws {
                await #expect(processExitsWith: .success) {
                    let before = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
                    let gate = Gate()
                    let routes: [String: LoopbackServer.Handler] = [
                        "/": { _, reply in
                            try await gate.waitUnlessCancelled()
                            try await reply.send(200, [:], Data([1, 2]))
                        }
                    ]
                    try await LoopbackServer.serving(routes) { server in
                        let loader = HTTPLoader {
                            $0.transferLimit = 1000
                            ($0.firstByteTimeout, $0.idleTimeout, $0.connectTimeout) = (nil, nil, .seconds(600))
                        }
                        try await withThrowingTaskGroup { group in
                            for _ in 0..<1000 {
                                group.addTask {
                                    let data = try await loader.data(server.url("/"))
                                    precondition(data == Data([1, 2]))
                                }
                            }
                            await waitUntil { server.requests.count == 1000 }
                            gate.open()
                            try await group.waitForAll()
                        }
                        precondition(loader.transferCount == 0)
                        await loader.shutdown()
                    }
                    let counts = try await NetworkFaultTests.settledCounts(before + 16)
                    precondition(counts.files <= before + 16, "\(before) \(counts)")
                }
            }

            /// Counts what the process has once it has no more files than `expected`; the last connections of servers close
            /// with those of clients, a moment later.
            fileprivate static func settledCounts(
                _ expected: Int?
            ) async throws -> (files: Int, threads: Int, kilobytes: Int) {
                var counts = try counts()
                for _ in 0..<100 where counts.files > expected ?? .max {
                    // A load takes its turn on the threads of the connections.
                    try await run(NetworkFault.all[0])
                    counts = try self.counts()
                }
                return counts
            }

            /// Counts files, threads but those of Dispatch, which starts and ends them as it needs, and memory.
            private static func counts() throws -> (files: Int, threads: Int, kilobytes: Int) {
                let manager = FileManager.default
                let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
                let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") } ?? ""
                return (
                    try manager.contentsOfDirectory(atPath: "/proc/self/fd").count,
                    try manager.contentsOfDirectory(atPath: "/proc/self/task").count { thread in
                        let name = try? String(contentsOfFile: "/proc/self/task/\(thread)/comm", encoding: .utf8)
                        return name.map { !$0.contains("-qos") } ?? false
                    },
                    Int(line.filter { ("0"..."9").contains($0) }) ?? 0
                )
            }

            /// Loads from a server with a fault.
            fileprivate static func run(_ fault: NetworkFault) async throws {
                try await serving(fault, Counter()) { port in
                    let loader = loader(timeout: .milliseconds(30))
                    let gallery = try Gallery(loader)
                    _ = try? await gallery.grey(url(port, "/", isSecure: fault.isLoadedSecurely), limited)
                    await loader.shutdown()
                }
            }
        #endif

        /// Runs `body` with the port of a server with `fault`, except at `/sound`.
        private static func serving(
            _ fault: NetworkFault, _ requests: Counter, _ body: @Sendable (Int) async throws -> Void
        ) async throws {
            try await ScriptedPeer.serving({ _ in
                { received in
                    guard !received.isEmpty else { return .init() }
                    let text = String(decoding: received, as: UTF8.self)
                    if text.hasPrefix("GET /sound ") { return .init([NetworkFault.sound], closes: true) }
                    let range = text.split(separator: "bytes=").dropFirst().first?.prefix { $0 != "-" }
                    return fault.answer(requests.next(), range.flatMap { Int($0) } ?? 0)
                }
            }) { try await body($0) }
        }

        private static func loader(timeout: Duration?, allowsInvalidCertificates: Bool = false) -> HTTPLoader {
            HTTPLoader {
                $0.allowsInvalidCertificates = allowsInvalidCertificates
                ($0.firstByteTimeout, $0.idleTimeout) = (timeout, timeout)
                // Beside other tests, reading the certificates of the system may take long.
                $0.connectTimeout = .seconds(60)
                $0.addressPolicy = .networks("127.0.0.1")
            }
        }

        @Sendable private static func limited(_ context: inout ImageContext) {
            context.limits.encodedByteCount = 1_000_000
        }

        private static func url(_ port: Int, _ path: String, isSecure: Bool = false) -> URL {
            URL(string: "\(isSecure ? "https" : "http")://127.0.0.1:\(port)\(path)")!
        }
    }

    private final class Counter: Sendable {
        private let count = Atomic(0)
        var value: Int { count.load(ordering: .relaxed) }
        func next() -> Int { count.add(1, ordering: .relaxed).newValue }
    }
#endif
