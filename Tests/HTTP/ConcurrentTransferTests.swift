#if HTTP
    import DarkroomHTTP
    import TestSupport
    import Testing

    @Suite(.timeLimit(.minutes(10)))
    struct ConcurrentTransferTests {
        @Test func onlySoManyTransfersRunAtOnce() async throws {
            let gate = Latch()
            let routes: [String: LoopbackServer.Handler] = [
                "/": { _, reply in
                    try await gate.wait()
                    try await reply.send()
                }
            ]
            try await LoopbackServer.serving(routes) { server in
                let loader = HTTPLoader { $0.maxConcurrentTransfers = 2 }
                async let all: Void = withThrowingTaskGroup(of: Void.self) { group in
                    for _ in 0..<7 { group.addTask { _ = try await loader.data(server.url("/")) } }
                    try await group.waitForAll()
                }
                await waitUntil { loader.transferCount == 7 && server.requests.count == 2 }
                loader.maxConcurrentTransfers = 3
                await waitUntil { server.requests.count == 3 }
                #expect(loader.transferCount == 7)
                gate.open()
                try await all
                #expect(server.requests.count == 7)
            }
        }
    }
#endif
