#if S3 && HTTP
    import DarkroomCore
    import DarkroomTestKit
    import FoundationEssentials
    import TestSupport
    import Testing

    @testable import DarkroomFleet
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

        /// Otherwise, a few removals of many objects count as stalled, and nothing is stored meanwhile.
        @Test func removedObjectsAreProgress() async throws {
            let (clock, stalls, names) = (ManualClock(), Recorder<Bool>(), (0..<17).map { "x/\($0)" })
            let queue = WriteQueue(limit: 1, patience: .milliseconds(500), clock: clock)
            var routes: [String: LoopbackServer.Handler] = [
                "/b/": { _, reply in try await reply.send(200, [:], .list(names)) },
                "/b/x/16": { _, reply in
                    stalls.note(queue.isStalled)
                    try await reply.send(204)
                },
            ]
            for name in names.dropLast() {
                routes["/b/\(name)"] = { _, reply in
                    clock.advance(by: .milliseconds(400))
                    try await reply.send(204)
                }
            }
            try await LoopbackServer.serving(routes) { server in
                try await queue.write {
                    try await S3ObjectStore(at: server.root).removeAll(under: "x/", deadline: .seconds(60))
                }
            }
            #expect(stalls.values == [false])
        }
    }
#endif
