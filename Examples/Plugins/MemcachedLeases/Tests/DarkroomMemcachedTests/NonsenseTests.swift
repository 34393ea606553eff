import DarkroomCore
import DarkroomMemcached
import DarkroomTestKit
import Synchronization
import Testing

/// A server that speaks almost the protocol of memcached. Whatever it sends, each call ends in time.
@Suite(.timeLimit(.minutes(5)))
struct NonsenseTests {
    private static let work = WorkName(.original, of: CacheKey(source: "https://example.com/a.png"))

    @Test(arguments: 90..<93) func callsEnd(_ seed: Int) async throws {
        let replies = Mutex(NonsenseReplies(seed: seed))
        let isSound = Mutex(false)
        try await NonsenseServer.running { _ in
            isSound.withLock(\.self) ? (Array("HD\r\n".utf8), false) : replies.withLock { $0.next() }
        } _: { server in
            for _ in 0..<40 {
                // After a failure, leases ask for nothing for a while, and new ones do not.
                let leases = MemcachedLeases(
                    host: "127.0.0.1", port: server.port, life: .seconds(1), timeout: .milliseconds(20),
                    pollInterval: .milliseconds(5))
                switch await leases.lease(for: Self.work, budget: TierBudget(.seconds(60))) {
                case .granted(let lease):
                    _ = await lease.renew()
                    await lease.end(.shared)
                case .held(let lease): _ = await lease.outcome(within: .milliseconds(10))
                case .unknown: break
                }
            }
            isSound.withLock { $0 = true }
            let leases = MemcachedLeases(host: "127.0.0.1", port: server.port, timeout: .seconds(60))
            guard case .granted = await leases.lease(for: Self.work, budget: TierBudget(.seconds(60))) else {
                Issue.record("a sound server grants no lease")
                return
            }
        }
    }

    /// The token of a holder is the key of the next command, so that any writer of the cache could send commands.
    @Test(arguments: ["a\r\nflush_all", "a b", "", "\u{E9}", String(repeating: "k", count: 251)])
    func tokenThatIsNoKeyIsNotSent(_ token: String) async throws {
        let commands = Mutex<[String]>([])
        try await NonsenseServer.running { received in
            let command = String(decoding: received, as: UTF8.self)
            commands.withLock { $0.append(command) }
            let reply = command.hasPrefix("ms ") ? "NS\r\n" : "VA \(token.utf8.count) c1\r\n\(token)\r\n"
            return (Array(reply.utf8), false)
        } _: { server in
            let leases = MemcachedLeases(host: "127.0.0.1", port: server.port, timeout: .seconds(60))
            guard case .held(let lease) = await leases.lease(for: Self.work, budget: TierBudget(.seconds(60))) else {
                Issue.record("the lease is not held")
                return
            }
            #expect(await lease.outcome(within: .seconds(60)) == nil)
        }
        let sent = commands.withLock { $0 }
        #expect(sent.count == 2 && sent.allSatisfy { $0.contains("darkroom:lease:") }, "\(sent)")
    }
}
