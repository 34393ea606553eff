#if Valkey
    import DarkroomCore
    import DarkroomPlatform

    /// The key and the channel of a lease.
    struct LeasePlace: Sendable {
        /// The time for which the engine remembers that a result was shared.
        private static let memory = Duration.seconds(10)

        let client: ValkeyClient
        let life: Duration
        let key: String
        /// The key that exists for a while after the result was shared.
        let doneKey: String
        let channel: String

        init(_ work: WorkName, client: ValkeyClient, life: Duration) {
            (self.client, self.life) = (client, life)
            let (prefix, database) = (client.configuration.prefix, client.configuration.database)
            let digest = work.digest
            key = "\(prefix)lease:\(digest)"
            doneKey = "\(prefix)done:\(digest)"
            // Databases share their channels.
            channel = "\(prefix)\(database):end:\(digest)"
        }

        /// Requests the lease. Returns it if it is granted, and otherwise the token of its holder.
        func ask(by end: ContinuousClock.Instant) async throws(ImageError) -> (lease: ValkeyLease?, holder: String?) {
            let token = client.presence.newToken(over: client.link)
            do throws(ImageError) {
                let reply = try await LeaseScripts.request.run(
                    keys: [key, doneKey], arguments: [token, "\(life.milliseconds)", client.presence.channelPrefix],
                    on: client, within: end - .now)
                guard case .array(let parts) = reply, parts.count == 2 else {
                    throw ImageError(.corrupt, .cache, "the engine of leases answers a request with something else")
                }
                guard parts[0] == .integer(1) else { return (nil, parts[1].text) }
                return (ValkeyLease(self, token: token, mayBeDone: parts[1] != .integer(0)), token)
            } catch {
                // The engine may grant the lease nevertheless.
                release(token)
                throw error
            }
        }

        /// Releases a lease that the engine may have granted after its caller had left. Returns immediately.
        func release(_ token: String) {
            client.link.sendWithoutWaiting(
                LeaseScripts.end.command(keys: [key, doneKey], arguments: endArguments(token, .cancelled)))
        }

        /// Returns the arguments of the script that ends a lease.
        func endArguments(_ token: String, _ outcome: WorkOutcome) -> [String] {
            let memory = outcome == .shared ? Self.memory.milliseconds : 0
            return [token, channel, "\(outcome.rawValue) \(token)", "\(memory)"]
        }
    }

    /// The scripts of leases. Tokens keep a holder whose lease has expired from affecting its successor.
    enum LeaseScripts {
        /// Grants the lease unless it has a holder. A holder whose token names a node counts only while that node is
        /// connected, or if the engine cannot tell.
        static let request = ValkeyScript(
            """
            local holder = redis.call('GET', KEYS[1])
            if holder then
                local node = string.match(holder, '^(%w+)%.')
                local count = node and redis.pcall('PUBSUB', 'NUMSUB', ARGV[3] .. node)
                if not count or count[2] ~= 0 then return {0, holder} end
            end
            redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
            return {1, redis.call('EXISTS', KEYS[2])}
            """)

        static let renewal = ValkeyScript(
            """
            if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
            return redis.call('PEXPIRE', KEYS[1], ARGV[2])
            """)

        static let end = ValkeyScript(
            """
            if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
            redis.call('DEL', KEYS[1])
            if ARGV[4] ~= '0' then redis.call('SET', KEYS[2], '', 'PX', ARGV[4]) end
            redis.call('PUBLISH', ARGV[2], ARGV[3])
            return 1
            """)
    }

    extension WorkName {
        /// The digest of the kind and of both parts of the key. A length before each part makes the digests of
        /// different names differ.
        fileprivate var digest: String {
            var bytes = Data()
            for part in [kind.rawValue, key.source] + key.variant {
                bytes.append(contentsOf: "\(part.utf8.count):".utf8)
                bytes.append(contentsOf: part.utf8)
            }
            return bytes.contentDigest
        }
    }

    extension Duration {
        /// The duration in whole milliseconds.
        var milliseconds: Int64 {
            components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
        }
    }
#endif
