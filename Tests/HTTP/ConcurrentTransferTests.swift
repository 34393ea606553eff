#if HTTP
    import DarkroomCore
    import DarkroomHTTP
    import DarkroomTestKit
    import FoundationEssentials
    import TestSupport
    import Testing

    @Suite(.bounded)
    struct ConcurrentTransferTests {
        @Test func concurrentTransfersAreLimited() async throws {
            let gate = Gate()
            let routes: [String: LoopbackServer.Handler] = [
                "/": { _, reply in
                    try await gate.waitUnlessCancelled()
                    try await reply.send()
                }
            ]
            try await LoopbackServer.serving(routes) { server in
                let loader = HTTPLoader { $0.transferLimit = 2 }
                async let all: Void = withThrowingTaskGroup(of: Void.self) { group in
                    for _ in 0..<7 { group.addTask { _ = try await loader.data(server.url("/")) } }
                    try await group.waitForAll()
                }
                await waitUntil { loader.transferCount == 7 && server.requests.count == 2 }
                loader.transferLimit = 3
                await waitUntil { server.requests.count == 3 }
                #expect(loader.transferCount == 7)
                gate.open()
                try await all
                #expect(server.requests.count == 7)
            }
        }

        private let routes: [String: LoopbackServer.Handler] = ["/": { _, reply in try await reply.send() }]

        @Test func nothingStartsWhileSuspended() async throws {
            try await LoopbackServer.serving(routes) { server in
                let loader = HTTPLoader()
                loader.isSuspended = true
                async let data = loader.data(server.url("/"))
                await waitUntil { loader.waitingTransferCount == 1 || !server.requests.isEmpty }
                #expect(loader.isSuspended && loader.runningTransferCount == 0 && server.requests.isEmpty)
                loader.isSuspended = false
                _ = try await data
                #expect(loader.transferCount == 0 && server.requests.count == 1)
            }
        }

        @Test func hostAtItsLimitDoesNotDelayOthers() async throws {
            let gate = Gate()
            let routes: [String: LoopbackServer.Handler] = [
                "/": { _, reply in
                    try await gate.waitUnlessCancelled()
                    try await reply.send()
                }
            ]
            try await LoopbackServer.serving(routes) { server in
                let loader = HTTPLoader { $0.transferLimitPerHost = 1 }
                #expect(loader.transferLimitPerHost == 1)
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for (index, host) in ["localhost", "LOCALHOST", "127.0.0.1"].enumerated() {
                        group.addTask { _ = try await loader.data(server.url("/", host: host)) }
                        await waitUntil { loader.transferCount == index + 1 }
                    }
                    await waitUntil { server.requests.count >= 2 }
                    #expect(loader.waitingTransferCount == 1)
                    let hosts = server.requests.map { $0.headers["host"]?.prefix { $0 != ":" } ?? "" }
                    #expect(Set(hosts) == ["localhost", "127.0.0.1"])
                    loader.transferLimitPerHost = nil
                    await waitUntil { server.requests.count == 3 }
                    gate.open()
                    try await group.waitForAll()
                }
            }
        }

        @Test func rateLimitIsRespected() async throws {
            try await LoopbackServer.serving(routes) { server in
                let limit = RateLimit(perSecond: 0.001, burst: 2)
                let loader = HTTPLoader { $0.rateLimit = limit }
                #expect(loader.rateLimit == limit)
                for _ in 0..<2 { _ = try await loader.data(server.url("/")) }
                async let third = loader.data(server.url("/"))
                await waitUntil { loader.waitingTransferCount == 1 || server.requests.count == 3 }
                #expect(server.requests.count == 2)
                loader.rateLimit = nil
                _ = try await third
                #expect(server.requests.count == 3)
            }
        }

        @Test(arguments: [
            (LoadOrder.firstInFirstOut, ["/?0", "/?1", "/?2"]), (.lastInFirstOut, ["/?2", "/?1", "/?0"]),
        ])
        func waitingTransfersStartInTheConfiguredOrder(_ order: LoadOrder, _ paths: [String]) async throws {
            try await LoopbackServer.serving(routes) { server in
                let set = HTTPLoader { $0.transferLimit = 1 }
                set.transferOrder = order
                let configured = HTTPLoader {
                    $0.transferLimit = 1
                    $0.transferOrder = order
                }
                for loader in [configured, set] {
                    #expect(loader.transferOrder == order)
                    loader.isSuspended = true
                    try await withThrowingTaskGroup(of: Void.self) { group in
                        for index in 0..<3 {
                            group.addTask { _ = try await loader.data(server.url("/?\(index)")) }
                            await waitUntil { loader.waitingTransferCount == index + 1 }
                        }
                        loader.isSuspended = false
                        try await group.waitForAll()
                    }
                }
                #expect(server.requests.map(\.path) == paths + paths)
            }
        }
    }
#endif
