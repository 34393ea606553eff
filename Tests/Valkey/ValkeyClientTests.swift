#if Valkey
    import DarkroomCore
    import DarkroomTestKit
    import FoundationEssentials
    import Testing

    @testable import DarkroomValkey

    @Suite(
        .enabled(if: RedisServer.isInstalled, "neither valkey-server nor redis-server is installed, or setpriv is not"))
    struct ValkeyClientTests {
        private func error(of client: ValkeyClient, within limit: Duration = .seconds(600)) async throws -> ImageError {
            try await #require(throws: ImageError.self) {
                _ = try await client.reply(to: RESPCommand("PING"), within: limit).checked()
            }
        }

        @Test(arguments: [true, false]) func repliesArriveInOrder(prefersRESP3: Bool) async throws {
            try await RedisServer.running { server in
                var configuration = server.configuration
                configuration.prefersRESP3 = prefersRESP3
                let client = ValkeyClient(configuration)
                let commands = (0..<1_000).map { RESPCommand("ECHO", "\($0)") }
                let replies = try await client.replies(to: commands, within: .seconds(60))
                #expect(replies.map(\.text) == (0..<1_000).map { "\($0)" })
                #expect(client.link.sessionCount == 1)
            }
        }

        @Test func concurrentCallsGetTheirReplies() async throws {
            try await RedisServer.running { server in
                let client = ValkeyClient(server.configuration)
                try await withThrowingTaskGroup { group in
                    for number in 0..<1_000 {
                        group.addTask {
                            let reply = try await client.reply(
                                to: RESPCommand("ECHO", "\(number)"), within: .seconds(60))
                            #expect(reply.text == "\(number)")
                        }
                    }
                    try await group.waitForAll()
                }
            }
        }

        @Test func repliesToAbandonedCallsAreDiscarded() async throws {
            try await RedisServer.running { server in
                let client = ValkeyClient(server.configuration)
                #expect(try await client.isAlive())
                // The engine answers after a second.
                let late = try await #require(throws: ImageError.self) {
                    _ = try await client.reply(to: RESPCommand("BLPOP", "none", "1"), within: .milliseconds(20))
                }
                #expect(late.kind == .timedOut)
                let cancelled = Task {
                    try await client.reply(to: RESPCommand("ECHO", "cancelled"), within: .seconds(60))
                }
                cancelled.cancel()
                #expect(try await client.reply(to: RESPCommand("ECHO", "next"), within: .seconds(60)).text == "next")
                let error = try await #require(throws: ImageError.self) { _ = try await cancelled.value }
                #expect(error.kind == .cancelled)
                #expect(client.link.sessionCount == 1)
            }
        }

        @Test func cancelledCallEndsImmediately() async throws {
            try await RedisServer.running { server in
                let client = ValkeyClient(server.configuration)
                #expect(try await client.isAlive())
                server.stop()
                let started = Gate()
                let call = Task {
                    started.arrive()
                    return try await client.reply(to: RESPCommand("PING"), within: .seconds(3600))
                }
                await started.waitForArrivals()
                call.cancel()
                let error = try await #require(throws: ImageError.self) { _ = try await call.value }
                #expect(error.kind == .cancelled)
            }
        }

        /// An operator sees why the nodes of a fleet repeat each other's work.
        @Test func refusedLeasesAreReportedOnce() async throws {
            try await RedisServer.running("--requirepass", "open sesame") { server in
                let reports = Recorder<ImageError>()
                let leases = ValkeyLeases(ValkeyClient(server.configuration) { reports.note($0) })
                for _ in 0..<3 {
                    let work = WorkName(.original, of: CacheKey(source: "https://example.com/a.png"))
                    guard case .unknown = await leases.lease(for: work, budget: TierBudget(.seconds(60))) else {
                        Issue.record("it has a lease without a password")
                        return
                    }
                }
                #expect(reports.values.map(\.kind) == [.refused])
                #expect(reports.values.first?.message.contains("NOAUTH") == true, "\(reports.values)")
            }
        }

        /// A node without the subscription serves what others have purged, until it expires.
        @Test(arguments: [true, false]) func refusedSubscriptionsAreReported(prefersRESP3: Bool) async throws {
            try await RedisServer.running("--user", "default", "on", "nopass", "~*", "&*", "+@all", "-subscribe") {
                server in
                let reports = Recorder<ImageError>()
                var configuration = server.configuration
                configuration.prefersRESP3 = prefersRESP3
                let purges = ValkeyPurges(ValkeyClient(configuration) { reports.note($0) })
                let stream = purges.purges()
                await reports.waitForValues(1)
                #expect(reports.values.first?.message.contains("NOPERM") == true, "\(reports.values)")
                withExtendedLifetime(stream) {}
            }
        }

        @Test func passwordIsRequired() async throws {
            try await RedisServer.running("--requirepass", "open sesame") { server in
                var configuration = server.configuration
                for prefersRESP3 in [true, false] {
                    configuration.prefersRESP3 = prefersRESP3
                    configuration.password = "open sesame"
                    configuration.clientName = "darkroom-test"
                    configuration.database = 3
                    let client = ValkeyClient(configuration)
                    #expect(try await client.isAlive())
                    let info = try await client.reply(to: RESPCommand("CLIENT", "LIST"), within: .seconds(30)).text
                    #expect(info?.contains("name=darkroom-test") == true)
                    #expect(info?.contains("db=3") == true)
                    #expect(info?.contains(prefersRESP3 ? "resp=3" : "resp=2") == true)
                    configuration.password = "wrong"
                    let wrong = try await error(of: ValkeyClient(configuration))
                    #expect(wrong.kind == .refused)
                    #expect(wrong.message.contains("WRONGPASS"), "\(wrong)")
                }
                configuration.password = nil
                #expect(try await error(of: ValkeyClient(configuration)).message.contains("NOAUTH"))
            }
        }

        @Test func userHasHisOwnPassword() async throws {
            try await RedisServer.running { server in
                let administrator = ValkeyClient(server.configuration)
                try await administrator.run("ACL", "SETUSER", "node", "on", ">secret", "~*", "&*", "+@all")
                for prefersRESP3 in [true, false] {
                    var configuration = server.configuration
                    (configuration.username, configuration.password) = ("node", "secret")
                    configuration.prefersRESP3 = prefersRESP3
                    let client = ValkeyClient(configuration)
                    #expect(
                        try await client.reply(to: RESPCommand("ACL", "WHOAMI"), within: .seconds(30)).text == "node")
                }
            }
        }

        @Test func refusedSubscriptionFailsOnlyItself() async throws {
            try await RedisServer.running { server in
                let administrator = ValkeyClient(server.configuration)
                try await administrator.run("ACL", "SETUSER", "node", "on", ">secret", "~*", "resetchannels", "+@all")
                for prefersRESP3 in [true, false] {
                    var configuration = server.configuration
                    (configuration.username, configuration.password) = ("node", "secret")
                    configuration.prefersRESP3 = prefersRESP3
                    let client = ValkeyClient(configuration)
                    #expect(try await client.isAlive())
                    let (_, confirmation) = client.link.subscriptions.add(
                        .init(onMessage: { _ in }), to: "channel", over: client.link, within: .seconds(30))
                    let reply = try await confirmation.value
                    #expect(reply.error?.hasPrefix("NOPERM") == true, "\(reply)")
                    #expect(try await client.isAlive())
                    #expect(client.link.sessionCount == 1)
                }
            }
        }

        @Test(.enabled(if: RedisServer.supportsTLS, "the server was built without TLS"))
        func connectionIsEncrypted() async throws {
            let folder = try TemporaryDirectory()
            let certificate = try folder.write(Data(LoopbackIdentity.certificate.utf8), to: "certificate.pem")
            let key = try folder.write(Data(LoopbackIdentity.key.utf8), to: "key.pem")
            try await RedisServer.running(
                "--port", "0", "--tls-port", "{port}", "--tls-auth-clients", "no", "--tls-cert-file", certificate.path,
                "--tls-key-file", key.path
            ) { server async throws in
                var configuration = server.configuration
                let roots = Data(LoopbackIdentity.certificate.utf8)
                configuration.tls = ValkeyTLS(trustRoots: roots, serverName: "pictures.test")
                #expect(try await ValkeyClient(configuration).isAlive())
                configuration.tls = ValkeyTLS(trustRoots: roots, serverName: "other.test")
                #expect(try await error(of: ValkeyClient(configuration), within: .seconds(1)).kind != .refused)
                configuration.tls = ValkeyTLS(serverName: "pictures.test")
                #expect(try await error(of: ValkeyClient(configuration), within: .seconds(1)).kind != .refused)
                configuration.tls = nil
                await #expect(throws: ImageError.self) {
                    _ = try await ValkeyClient(configuration).reply(to: RESPCommand("PING"), within: .seconds(1))
                }
            }
        }

        @Test func callsWaitForAnEngineThatStartsInTime() async throws {
            try await RedisServer.running { server in
                let client = ValkeyClient(server.configuration)
                #expect(try await client.isAlive())
                await server.kill()
                await client.waitForLoss()
                async let isAlive = client.isAlive()
                try await server.start()
                #expect(try await isAlive)
                #expect(client.link.sessionCount == 2)
            }
        }

        @Test func callsFailImmediatelyWhileTheEngineIsGone() async throws {
            try await RedisServer.running { server in
                let client = ValkeyClient(server.configuration)
                #expect(try await client.isAlive())
                await server.kill()
                let error = try await #require(throws: ImageError.self) {
                    // Each call is short, so that one of them finds that the next attempt is too late for it.
                    while true { _ = try await client.reply(to: RESPCommand("PING"), within: .milliseconds(5)) }
                }
                #expect([.network, .timedOut].contains(error.kind))
            }
        }

        @Test func callsInFlightFailWithTheConnection() async throws {
            try await RedisServer.running { server async throws in
                let client = ValkeyClient(server.configuration)
                #expect(try await client.isAlive())
                server.stop()
                let call = Task { try await client.reply(to: RESPCommand("PING"), within: .seconds(3600)) }
                await server.kill()
                let error = await #expect(throws: ImageError.self) { _ = try await call.value }
                #expect(error?.kind == .network || error?.kind == .timedOut)
            }
        }

        @Test func shutDownClientFails() async throws {
            try await RedisServer.running { server async throws in
                let client = ValkeyClient(server.configuration)
                #expect(try await client.isAlive())
                client.shutDown()
                #expect(try await error(of: client).kind == .refused)
                #expect(!client.link.isConnected)
            }
        }

        @Test func connectionIsClosedWithTheClient() async throws {
            try await RedisServer.running { server in
                let observer = ValkeyClient(server.configuration)
                var client: ValkeyClient? = ValkeyClient(server.configuration)
                #expect(try await client?.isAlive() == true)
                weak let link = client?.link
                client = nil
                // The engine answers when it has noticed.
                var count = 2
                while count > 1 {
                    let list = try await observer.reply(to: RESPCommand("CLIENT", "LIST"), within: .seconds(30))
                    count = (list.text ?? "").split(whereSeparator: \.isNewline).count
                }
                #expect(count == 1)
                #expect(link?.isConnected != true)
            }
        }

        @Test func pausesGrowAndAreBounded() {
            #expect(ValkeyLink.pause(1) <= .milliseconds(50))
            for count in [1, 5, 10, 100, 1_000_000] {
                #expect(ValkeyLink.pause(count) >= .milliseconds(25))
                #expect(ValkeyLink.pause(count) <= .seconds(5))
            }
            #expect(ValkeyLink.pause(20) >= .milliseconds(2_500))
        }
    }
#endif
