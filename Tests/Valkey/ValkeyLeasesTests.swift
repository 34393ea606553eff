#if Valkey
    import DarkroomCore
    import DarkroomTestKit
    import Testing

    @testable import DarkroomValkey

    @Suite(
        .enabled(if: RedisServer.isInstalled, "neither valkey-server nor redis-server is installed, or setpriv is not"))
    struct ValkeyLeasesTests {
        private let work = WorkName(.result, of: CacheKey(source: "https://example.com/a.png", variant: ["V"]))

        private static func contract(
            of configuration: ValkeyConfiguration, life: Duration = .seconds(1)
        ) -> WorkLeasesContract {
            WorkLeasesContract(life: life) {
                ValkeyLeases(ValkeyClient(configuration), life: life, timeout: .seconds(10))
            }
        }

        /// Returns leases of a new node, once it is connected.
        private static func node(
            _ server: RedisServer, life: Duration = .seconds(20), timeout: Duration = .seconds(10)
        ) async throws -> ValkeyLeases {
            try await node(server.configuration, life: life, timeout: timeout)
        }

        private static func node(
            _ configuration: ValkeyConfiguration, life: Duration, timeout: Duration = .seconds(10)
        ) async throws -> ValkeyLeases {
            let leases = ValkeyLeases(ValkeyClient(configuration), life: life, timeout: timeout)
            _ = try await leases.client.reply(to: RESPCommand("PING"), within: .seconds(30)).checked()
            return leases
        }

        private func ask(_ leases: ValkeyLeases) async -> LeaseAnswer {
            await leases.lease(for: work, budget: TierBudget(.seconds(10)))
        }

        @Test(arguments: [true, false]) func contractIsMet(prefersRESP3: Bool) async throws {
            try await RedisServer.running { server in
                var configuration = server.configuration
                configuration.prefersRESP3 = prefersRESP3
                try await Self.contract(of: configuration).checkAll()
            }
        }

        @Test(arguments: [true, false]) func silentEngineStopsNobody(prefersRESP3: Bool) async throws {
            try await RedisServer.running { server in
                var configuration = server.configuration
                configuration.prefersRESP3 = prefersRESP3
                try await Self.contract(of: configuration, life: .seconds(5)).checkOutage { server.stop() }
            }
        }

        @Test func deadEngineStopsNobody() async throws {
            try await RedisServer.running { server in
                try await Self.contract(of: server.configuration, life: .seconds(5)).checkOutage { await server.kill() }
            }
        }

        @Test func requestIsLimitedToTheTimeout() async throws {
            try await RedisServer.running { server in
                let leases = try await Self.node(server, timeout: .milliseconds(100))
                server.stop()
                let budget = TierBudget(.seconds(60))
                #expect(await leases.lease(for: work, budget: budget).isUnknown)
                #expect(budget.remaining > .seconds(30))
            }
        }

        @Test func requestsFailAtOnceWhileTheEngineIsSilent() async throws {
            try await RedisServer.running { server in
                let client = try await Self.node(server).client
                server.stop()
                let leases = ValkeyLeases(client, timeout: .milliseconds(2_500))
                #expect(await ask(leases).isUnknown)
                var longest = Duration.zero
                // On a busy machine, the first request may not have been sent.
                for _ in 0..<3 where longest < .seconds(58) {
                    let budget = TierBudget(.seconds(60))
                    #expect(await leases.lease(for: work, budget: budget).isUnknown)
                    longest = max(longest, budget.remaining)
                }
                #expect(longest >= .seconds(58))
            }
        }

        @Test func silenceEndsWaitsForOtherNodes() async throws {
            try await RedisServer.running { server in
                let nodes = [try await Self.node(server), try await Self.node(server, timeout: .seconds(4))]
                guard case .granted(let lease) = await ask(nodes[0]), case .held(let held) = await ask(nodes[1]) else {
                    throw UnexpectedAnswer()
                }
                server.stop()
                async let question = ask(nodes[1])
                // Without the silence, it would last for an hour.
                #expect(await held.outcome(within: .seconds(3600)) == nil)
                #expect(await question.isUnknown)
                server.resume()
                await lease.end(.cancelled)
            }
        }

        @Test func requestWhoseAnswerIsLateLeavesNoLease() async throws {
            try await RedisServer.running { server in
                let leases = try await Self.node(server)
                server.stop()
                let hasty = ValkeyLeases(leases.client, life: leases.life, timeout: .milliseconds(500))
                #expect(await ask(hasty).isUnknown)
                server.resume()
                #expect(try await leases.client.isAlive())
                #expect(await ask(leases).isGranted)
            }
        }

        @Test func cancelledRequestLeavesNoLease() async throws {
            try await RedisServer.running { server in
                let leases = try await Self.node(server)
                server.stop()
                let asked = Gate()
                let request = Task {
                    asked.arrive()
                    return await ask(leases).isUnknown
                }
                await asked.waitForArrivals()
                request.cancel()
                #expect(await request.value)
                server.resume()
                #expect(try await leases.client.isAlive())
                #expect(await ask(leases).isGranted)
            }
        }

        @Test func restartedEngineIsUsedAgain() async throws {
            try await RedisServer.running { server in
                let leases = try await Self.node(server)
                guard case .granted(let lease) = await ask(leases) else { throw UnexpectedAnswer() }
                await server.kill()
                await leases.client.waitForLoss()
                try await server.start()
                #expect(try await leases.client.isAlive())
                // The engine has lost the lease, and does not know the scripts.
                #expect(await !lease.renew())
                await lease.end(.shared)
                guard case .granted(let next) = await ask(leases) else { throw UnexpectedAnswer() }
                #expect(await next.renew())
                guard case .held(let held) = await ask(leases) else { throw UnexpectedAnswer() }
                await next.end(.shared)
                #expect(await held.outcome(within: .seconds(10)) == .shared)
                #expect(leases.client.link.sessionCount == 2)
            }
        }

        @Test func lostConnectionEndsWaits() async throws {
            try await RedisServer.running { server in
                let leases = try await Self.node(server)
                guard case .granted(let lease) = await ask(leases), case .held(let held) = await ask(leases) else {
                    throw UnexpectedAnswer()
                }
                async let outcome = held.outcome(within: .seconds(600))
                await server.kill()
                #expect(await outcome == nil)
                #expect(await lease.renew())
            }
        }

        @Test func flushedLeaseIsLost() async throws {
            try await RedisServer.running { server in
                let leases = try await Self.node(server)
                guard case .granted(let lease) = await ask(leases) else { throw UnexpectedAnswer() }
                #expect(await lease.renew())
                try await leases.client.run("FLUSHALL")
                #expect(await !lease.renew())
                guard case .granted(let next) = await ask(leases) else { throw UnexpectedAnswer() }
                await lease.end(.shared)
                #expect(await next.renew())
            }
        }

        @Test func flushedScriptsAreSentAgain() async throws {
            try await RedisServer.running { server in
                let leases = try await Self.node(server)
                guard case .granted(let lease) = await ask(leases), case .held(let held) = await ask(leases) else {
                    throw UnexpectedAnswer()
                }
                #expect(await lease.renew())
                try await leases.client.run("SCRIPT", "FLUSH")
                #expect(await lease.renew())
                try await leases.client.run("SCRIPT", "FLUSH")
                await lease.end(.unshared)
                #expect(await held.outcome(within: .seconds(10)) == .unshared)
            }
        }

        @Test func leaseThatIsDroppedIsReleased() async throws {
            try await RedisServer.running { server in
                let (leases, other) = (try await Self.node(server), try await Self.node(server))
                var lease: (any WorkLease)?
                if case .granted(let granted) = await ask(leases) { lease = granted }
                guard case .held(let held) = await ask(other) else { throw UnexpectedAnswer() }
                #expect(lease != nil)
                lease = nil
                #expect(await held.outcome(within: .seconds(10)) == .cancelled)
            }
        }

        @Test(arguments: [true, false]) func leaseOfADeadProcessIsTakenOverAtOnce(prefersRESP3: Bool) async throws {
            try await RedisServer.running { server in
                var configuration = server.configuration
                configuration.prefersRESP3 = prefersRESP3
                let nodes = [
                    try await Self.node(configuration, life: .seconds(600)),
                    try await Self.node(configuration, life: .seconds(600)),
                ]
                let first = try await presentLease(of: nodes[0])
                guard case .held(let held) = await ask(nodes[1]) else { throw UnexpectedAnswer() }
                // As the end of a process does, this closes the connections without a word about the lease.
                nodes[0].client.shutDown()
                try await nodes[1].client.waitForAbsence(of: nodes[0].client)
                #expect(await ask(nodes[1]).isGranted)
                withExtendedLifetime((first, held)) {}
            }
        }

        @Test func leaseLastsWhereTheEngineDoesNotTellWhoIsConnected() async throws {
            try await RedisServer.running { server in
                let administrator = ValkeyClient(server.configuration)
                try await administrator.run("ACL", "SETUSER", "node", "on", ">secret", "~*", "&*", "+@all", "-pubsub")
                var configuration = server.configuration
                (configuration.username, configuration.password) = ("node", "secret")
                let nodes = [
                    try await Self.node(configuration, life: .seconds(600)),
                    try await Self.node(configuration, life: .seconds(600)),
                ]
                let first = try await presentLease(of: nodes[0])
                nodes[0].client.shutDown()
                try await administrator.waitForAbsence(of: nodes[0].client)
                guard case .held = await ask(nodes[1]) else { throw UnexpectedAnswer() }
                withExtendedLifetime(first) {}
            }
        }

        /// Returns a lease of a node that the engine sees.
        private func presentLease(of leases: ValkeyLeases) async throws -> any WorkLease {
            // The first token is made before the engine has confirmed anything.
            guard case .granted(let early) = await ask(leases) else { throw UnexpectedAnswer() }
            await leases.client.waitForPresence()
            await early.end(.cancelled)
            guard case .granted(let lease) = await ask(leases) else { throw UnexpectedAnswer() }
            return lease
        }

        @Test func waitersOfANodeShareASubscriptionThatEndsWithThem() async throws {
            try await RedisServer.running { server in
                let leases = try await Self.node(server)
                guard case .granted(let lease) = await ask(leases) else { throw UnexpectedAnswer() }
                var waiters: [any HeldLease] = []
                for _ in 0..<10 {
                    if case .held(let held) = await ask(leases) { waiters.append(held) }
                }
                #expect(waiters.count == 10)
                #expect(try await leases.client.channelCount() == 1)
                // One of them is the presence of the node.
                #expect(try await leases.client.callCount(of: "subscribe") == 2)
                waiters = []
                #expect(try await leases.client.channelCount() == 0)
                #expect(try await leases.client.callCount(of: "unsubscribe") == 1)
                await lease.end(.shared)
            }
        }

        @Test func manyNodesWorkInTurns() async throws {
            try await RedisServer.running { server in
                let leases = try await Self.node(server)
                let working = Gate()
                let order = Recorder<Int>()
                await withTaskGroup { group in
                    for number in 0..<50 {
                        group.addTask {
                            while true {
                                switch await ask(leases) {
                                case .granted(let lease):
                                    #expect(working.arrive() == order.values.count + 1)
                                    order.note(number)
                                    return await lease.end(.cancelled)
                                case .held(let held): _ = await held.outcome(within: .seconds(10))
                                case .unknown: return
                                }
                            }
                        }
                    }
                }
                #expect(Set(order.values).count == 50)
            }
        }

        private struct UnexpectedAnswer: Error {}
    }

    extension LeaseAnswer {
        var isGranted: Bool { if case .granted = self { true } else { false } }
        var isUnknown: Bool { if case .unknown = self { true } else { false } }
    }

    extension ValkeyClient {
        /// Returns the replies to `commands`, which are sent in this order, at once.
        func replies(to commands: [RESPCommand], within limit: Duration) async throws -> [RESPValue] {
            let calls = commands.map { ValkeyCall($0, within: limit) }
            for call in calls { link.submit(call) }
            var replies: [RESPValue] = []
            for call in calls { replies.append(try await call.value) }
            return replies
        }

        /// Runs a command that must succeed.
        func run(_ arguments: String...) async throws {
            _ = try await reply(to: RESPCommand(arguments), within: .seconds(30)).checked()
        }

        /// Returns whether the engine answers, when it is connected.
        func isAlive() async throws -> Bool {
            try await reply(to: RESPCommand("PING"), within: .seconds(30)) == .bytes(Array("PONG".utf8))
        }

        /// Returns once the client knows that it is not connected.
        func waitForLoss() async { await StateChanges.wait { [link] in !link.isConnected } }

        /// Returns the number of channels to which clients listen, except for those that show that nodes are connected.
        func channelCount() async throws -> Int {
            guard
                case .array(let channels) = try await reply(to: RESPCommand("PUBSUB", "CHANNELS"), within: .seconds(30))
            else { return -1 }
            return channels.count { $0.text?.hasPrefix(presence.channelPrefix) == false }
        }

        /// Returns once the engine has noticed that the connection of `other` has ended.
        func waitForAbsence(of other: ValkeyClient) async throws {
            let command = RESPCommand("PUBSUB", "NUMSUB", other.presence.channel)
            let absence = RESPValue.array([.bytes(Array(other.presence.channel.utf8)), .integer(0)])
            while try await reply(to: command, within: .seconds(30)).checked() != absence {}
        }

        /// Returns once the engine has confirmed that it sees this node.
        func waitForPresence() async {
            await StateChanges.wait { [link, presence] in link.subscriptions.isActive(presence.channel) }
        }

        /// Returns how often the engine has run `command`.
        func callCount(of command: String) async throws -> Int {
            let reply = try await reply(to: RESPCommand("INFO", "commandstats"), within: .seconds(30))
            let line = (reply.text ?? "").split(whereSeparator: \.isNewline).first {
                $0.hasPrefix("cmdstat_\(command):")
            }
            let count = line?.split(separator: "calls=").dropFirst().first?.split(separator: ",").first
            return count.flatMap { Int($0) } ?? 0
        }
    }
#endif
