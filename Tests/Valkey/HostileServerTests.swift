#if Valkey
    import DarkroomCore
    import DarkroomTestKit
    import Testing

    @testable import DarkroomValkey

    struct HostileServerTests {
        private static let work = WorkName(.original, of: CacheKey(source: "https://example.com/a.png"))

        static let answers: [[UInt8]] =
            [
                "", "+OK", "+OK\r\n+OK\r\n+OK\r\n+OK\r\n+OK\r\n", "HTTP/1.1 400 Bad Request\r\n\r\n", "$5\r\nab",
                "$99999999999999\r\n", "*2147483647\r\n", "*-5\r\n", "%9223372036854775807\r\n", ":x\r\n",
                ">3\r\n+subscribe\r\n+x\r\n:1\r\n", ">3\r\n+message\r\n:1\r\n:2\r\n", ">0\r\n", ">1\r\n_\r\n",
                "*3\r\n:1\r\n",
                "-ERR broken\r\n", "-NOSCRIPT x\r\n", "_\r\n", ":5\r\n_\r\n", "#t\r\n#f\r\n", "\0\0\0\0\r\n",
            ].map { Array($0.utf8) } + [
                Array(String(repeating: "*1\r\n", count: 20_000).utf8), Array(repeating: 43, count: 200_000),
                Array(repeating: 0xFF, count: 1_000), Array(String(repeating: ">1\r\n+x\r\n", count: 5_000).utf8),
            ]

        /// A request ends in time, even if the server is hostile.
        @Test(arguments: answers.indices, [true, false]) func requestsEnd(_ index: Int, isPolite: Bool) async throws {
            for closes in [true, false] {
                let behaviour = HostileServer.Behaviour(
                    isPolite: isPolite, bytes: Self.answers[index], closes: closes)
                try await HostileServer.serving(behaviour) { configuration in
                    let leases = ValkeyLeases(ValkeyClient(configuration), timeout: .milliseconds(100))
                    for _ in 0..<3 {
                        let answer = await leases.lease(for: Self.work, budget: TierBudget(.seconds(60)))
                        guard case .granted(let lease) = answer else { continue }
                        _ = await lease.renew()
                    }
                }
            }
        }

        @Test(arguments: 70..<73) func requestsEndAfterNonsense(_ seed: Int) async throws {
            var replies = NonsenseReplies(seed: seed)
            for round in 0..<40 {
                let behaviour = HostileServer.Behaviour(
                    isPolite: round % 4 > 0, bytes: replies.next(), closes: round % 8 > 0)
                try await HostileServer.serving(behaviour) { configuration in
                    let leases = ValkeyLeases(ValkeyClient(configuration), timeout: .milliseconds(50))
                    let answer = await leases.lease(for: Self.work, budget: TierBudget(.seconds(60)))
                    switch answer {
                    case .granted(let lease): _ = await lease.renew()
                    case .held(let lease): _ = await lease.outcome(within: .milliseconds(20))
                    case .unknown: break
                    }
                }
            }
        }

        @Test func violationFailsTheCallsInFlightAndClosesTheConnection() async throws {
            try await HostileServer.serving(.init(bytes: Array("nonsense\r\n".utf8))) { configuration in
                let client = ValkeyClient(configuration)
                let error = try await #require(throws: ImageError.self) {
                    _ = try await client.replies(
                        to: [RESPCommand("PING"), RESPCommand("PING")], within: .seconds(600))
                }
                #expect(error.kind == .corrupt)
                #expect(error.message.contains("unknown type"), "\(error)")
                await StateChanges.wait { !client.link.isConnected }
            }
        }

        @Test func surplusReplyClosesTheConnection() async throws {
            try await HostileServer.serving(.init(bytes: Array("+1\r\n+2\r\n".utf8))) { configuration async throws in
                let client = ValkeyClient(configuration)
                #expect(try await client.reply(to: RESPCommand("PING"), within: .seconds(600)).text == "1")
                await StateChanges.wait { !client.link.isConnected }
            }
        }

        @Test func connectionThatNeverAnswersIsReplaced() async throws {
            try await HostileServer.serving(.init()) { configuration in
                let client = ValkeyClient(configuration)
                // It ends when the connection is given up, long before its deadline.
                let error = try await #require(throws: ImageError.self) {
                    _ = try await client.reply(to: RESPCommand("PING"), within: .seconds(3600))
                }
                #expect(error.kind == .timedOut)
                await StateChanges.wait { client.link.sessionCount == 2 }
            }
        }

        @Test func engineThatDoesNotIntroduceItselfIsOutOfReach() async throws {
            try await HostileServer.serving(.init(isPolite: false)) { configuration in
                var configuration = configuration
                configuration.connectTimeout = .milliseconds(50)
                let client = ValkeyClient(configuration)
                await #expect(throws: ImageError.self) {
                    _ = try await client.reply(to: RESPCommand("PING"), within: .seconds(1))
                }
                #expect(client.link.sessionCount == 0)
            }
        }
    }
#endif
