#if Valkey
    import DarkroomCore

    #if canImport(FoundationEssentials)
        import FoundationEssentials
    #else
        import Foundation
    #endif

    /// The key and the channel of a lease.
    struct LeasePlace: Sendable {
        /// The time for which the engine remembers that a result was shared.
        private static let memory = Duration.seconds(10)

        let client: ValkeyClient
        let life: Duration
        let key: String
        /// The key that exists for a while after the result of the work was shared.
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

        /// Asks for the lease. Returns it if it is granted, and otherwise the token of the holder, if there is one still.
        func ask(by end: ContinuousClock.Instant) async throws(ImageError) -> (lease: ValkeyLease?, holder: String?) {
            let token = Self.newToken()
            let request = RESPCommand("SET", key, token, "NX", "PX", "\(life.milliseconds)")
            do throws(ImageError) {
                let replies = try await client.replies(
                    to: [request, RESPCommand("GET", key), RESPCommand("EXISTS", doneKey)], within: end - .now)
                switch try replies[0].checked() {
                case .null: return (nil, replies[1].text)
                case .bytes:
                    return (ValkeyLease(self, token: token, mayBeDone: replies[2] != .integer(0)), token)
                default:
                    throw ImageError(.corrupt, .cache, "the engine of leases answers a request with something else")
                }
            } catch {
                // The engine may grant the lease nevertheless.
                release(token)
                throw error
            }
        }

        /// Ends a lease that may have been granted, and that nobody uses. Returns immediately.
        func release(_ token: String) {
            client.link.sendWithoutWaiting(
                LeaseScripts.end.command(keys: [key, doneKey], arguments: endArguments(token, .cancelled)))
        }

        /// Returns the arguments of the script that ends a lease.
        func endArguments(_ token: String, _ outcome: WorkOutcome) -> [String] {
            let memory = outcome == .shared ? Self.memory.milliseconds : 0
            return [token, channel, "\(outcome.rawValue) \(token)", "\(memory)"]
        }

        private static func newToken() -> String {
            "\(String(UInt64.random(in: 0...UInt64.max), radix: 36))-\(String(UInt64.random(in: 0...UInt64.max), radix: 36))"
        }
    }

    /// The scripts of leases. A holder whose lease has expired must not affect its successor, which has another token.
    enum LeaseScripts {
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
        /// The digest of the kind and of both parts of the key. Each part is preceded by its length, so that different
        /// names have different digests.
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
        /// The whole milliseconds.
        var milliseconds: Int64 {
            components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
        }
    }
#endif
