#if S3 && HTTP
    import DarkroomCore
    import DarkroomTestKit
    import FoundationEssentials
    import TestSupport
    import Testing

    @testable import DarkroomS3

    /// Removals of many objects do not disturb the other calls.
    @Suite(.bounded)
    struct RemovalTests {
        /// Otherwise, each read would wait for a connection, and count as unanswered.
        @Test func removalsThatHangLeaveConnectionsToReads() async throws {
            let (counter, isListed, removals) = (Counter(), Gate(), Gate())
            let names = (0..<64).map { "\($0 % 4)/\($0)" }
            var routes: [String: LoopbackServer.Handler] = [
                "/b/": { _, reply in
                    if counter.next() == 4 { isListed.open() }
                    try await isListed.waitUnlessCancelled()
                    try await reply.send(200, [:], .list(names))
                },
                "/b/x": { _, reply in try await reply.send(200, [:], Data([7])) },
            ]
            for name in names {
                routes["/b/\(name)"] = { _, reply in
                    removals.arrive()
                    try await reply.waitForClose()
                }
            }
            try await LoopbackServer.serving(routes) { server in
                let store = S3ObjectStore(at: server.root) { $0.connectionLimit = 4 }
                let calls = (0..<4).map { number in
                    Task { try await store.removeAll(under: "\(number)/", deadline: .seconds(600)) }
                }
                defer { for call in calls { call.cancel() } }
                await removals.waitForArrivals()
                for _ in 0..<10 {
                    let found = try await store.bytes("x")
                    #expect(found == Data([7]))
                }
                #expect(server.requests.count { $0.method == "DELETE" } == 1)
            }
        }

        /// Otherwise, they are sent one after another, and each one hangs until its own deadline.
        @Test func requestsThatWaitForThoseThatHangEndWithThem() async throws {
            let (counter, isListed, names) = (Counter(), Gate(), (0..<64).map { "\($0 % 4)/\($0)" })
            var routes: [String: LoopbackServer.Handler] = [
                "/b/": { _, reply in
                    if counter.next() == 4 { isListed.open() }
                    try await isListed.waitUnlessCancelled()
                    try await reply.send(200, [:], .list(names))
                }
            ]
            for name in names { routes["/b/\(name)"] = { _, reply in try await reply.waitForClose() } }
            try await LoopbackServer.serving(routes) { server in
                let store = S3ObjectStore(at: server.root) { $0.connectionLimit = 4 }
                let calls = (0..<4).map { number in
                    Task { try await store.removeAll(under: "\(number)/", deadline: .milliseconds(300)) }
                }
                for call in calls { try await expectError(.timedOut) { try await call.value } }
                #expect(server.requests.count { $0.method == "DELETE" } < 32)
            }
        }
    }
#endif
