#if Valkey
    import DarkroomCore
    import DarkroomFleet
    import DarkroomTestKit
    import Testing

    @testable import DarkroomValkey

    struct PurgeMessageTests {
        @Test(arguments: [
            Purge.all, .source(""), .source("a"), .source("\0\r\n\u{E9}e\u{301}"), .source("https://x/ *\n"),
        ])
        func messageIsParsed(_ purge: Purge) {
            #expect(Purge(message: purge.message) == purge)
        }

        @Test(arguments: [[], [97, 97], [115, 0xFF], [120], [0, 115]] as [[UInt8]])
        func invalidMessageIsIgnored(_ bytes: [UInt8]) {
            #expect(Purge(message: bytes) == nil)
        }
    }

    @Suite(
        .enabled(if: RedisServer.isInstalled, "neither valkey-server nor redis-server is installed, or setpriv is not"))
    struct ValkeyPurgesTests {
        private static func wait(for purges: ValkeyPurges) async {
            await StateChanges.wait { purges.client.link.subscriptions.isActive(purges.channel) }
        }

        @Test(arguments: [true, false]) func purgesReachAllNodes(prefersRESP3: Bool) async throws {
            try await RedisServer.running { server in
                var configuration = server.configuration
                configuration.prefersRESP3 = prefersRESP3
                let nodes = (0..<3).map { _ in ValkeyPurges(ValkeyClient(configuration)) }
                let streams = nodes.map { $0.purges() }
                for node in nodes { await Self.wait(for: node) }
                let sent = [Purge.source("https://example.com/\0\r\ne\u{301}"), .all, .source("")]
                for (node, purge) in zip(nodes, sent) { try await node.publish(purge, deadline: .seconds(30)) }
                for stream in streams {
                    var received: [Purge] = []
                    for await purge in stream {
                        received.append(purge)
                        if received.count == sent.count { break }
                    }
                    #expect(received == sent)
                }
            }
        }

        @Test(arguments: [true, false]) func streamContinuesAfterARestart(prefersRESP3: Bool) async throws {
            try await RedisServer.running { server in
                var configuration = server.configuration
                configuration.prefersRESP3 = prefersRESP3
                let purges = ValkeyPurges(ValkeyClient(configuration))
                var stream = purges.purges().makeAsyncIterator()
                await Self.wait(for: purges)
                try await purges.publish(.source("1"), deadline: .seconds(30))
                #expect(await stream.next() == .source("1"))
                await server.kill()
                await purges.client.waitForLoss()
                #expect(!purges.client.link.subscriptions.isActive(purges.channel))
                try await server.start()
                await Self.wait(for: purges)
                try await purges.publish(.source("2"), deadline: .seconds(30))
                #expect(await stream.next() == .source("2"))
            }
        }

        @Test func streamThatBeginsWhileTheEngineIsSilentHearsPurges() async throws {
            try await RedisServer.running { server in
                let client = ValkeyClient(server.configuration)
                #expect(try await client.isAlive())
                server.stop()
                // It fails when the silence is noticed.
                await #expect(throws: ImageError.self) {
                    try await client.reply(to: RESPCommand("PING"), within: .seconds(4))
                }
                let purges = ValkeyPurges(client)
                let stream = purges.purges()
                server.resume()
                await Self.wait(for: purges)
                try await purges.publish(.all, deadline: .seconds(30))
                for await purge in stream {
                    #expect(purge == .all)
                    break
                }
            }
        }

        @Test func cancelledReaderUnsubscribes() async throws {
            try await RedisServer.running { server async throws in
                let purges = ValkeyPurges(ValkeyClient(server.configuration))
                let reader = Task { for await _ in purges.purges() {} }
                await Self.wait(for: purges)
                #expect(try await purges.client.channelCount() == 1)
                reader.cancel()
                await reader.value
                #expect(try await purges.client.channelCount() == 0)
            }
        }

        @Test func shutDownEndsTheStream() async throws {
            try await RedisServer.running { server in
                let purges = ValkeyPurges(ValkeyClient(server.configuration))
                let stream = purges.purges()
                await Self.wait(for: purges)
                purges.client.shutDown()
                for await _ in stream {}
                for await _ in purges.purges() {}
                await #expect(throws: ImageError.self) { try await purges.publish(.all, deadline: .seconds(5)) }
            }
        }

        @Test func publishingFailsWithoutAnEngine() async throws {
            try await RedisServer.running { server async throws in
                let purges = ValkeyPurges(ValkeyClient(server.configuration))
                #expect(try await purges.client.isAlive())
                server.stop()
                await #expect(throws: ImageError.self) { try await purges.publish(.all, deadline: .milliseconds(100)) }
            }
        }

        @Test func fleetsWithOtherPrefixesHearNothing() async throws {
            try await RedisServer.running { server in
                var configuration = server.configuration
                let purges = ValkeyPurges(ValkeyClient(configuration))
                configuration.prefix = "other:"
                let other = ValkeyPurges(ValkeyClient(configuration))
                var stream = purges.purges().makeAsyncIterator()
                await Self.wait(for: purges)
                try await other.publish(.source("other"), deadline: .seconds(30))
                try await purges.publish(.source("own"), deadline: .seconds(30))
                #expect(await stream.next() == .source("own"))
            }
        }
    }
#endif
