import DarkroomCore
import DarkroomMemcached
import DarkroomTestKit
import Testing

@Suite(.enabled(if: MemcachedProcess.isInstalled, "memcached is not installed, or setpriv is not"))
struct MemcachedLeasesTests {
    private let work = WorkName(.original, of: CacheKey(source: "https://example.com/a.png"))

    /// The contract of leases of 2 s, whose end is noticed by questions.
    private func contract(of memcached: MemcachedProcess) -> WorkLeasesContract {
        WorkLeasesContract(life: .seconds(2), promptness: .milliseconds(300)) {
            MemcachedLeases(host: "127.0.0.1", port: memcached.port, life: .seconds(2), timeout: .seconds(10))
        }
    }

    @Test func contractIsMet() async throws {
        try await MemcachedProcess.running { memcached in try await contract(of: memcached).checkAll() }
    }

    @Test func silentServerStopsNobody() async throws {
        try await MemcachedProcess.running { memcached in
            try await contract(of: memcached).checkOutage { memcached.stop() }
        }
    }

    @Test func deadServerStopsNobody() async throws {
        try await MemcachedProcess.running { memcached in
            try await contract(of: memcached).checkOutage { await memcached.kill() }
        }
    }

    @Test func requestIsLimitedToTheTimeout() async throws {
        try await MemcachedProcess.running { memcached in
            memcached.stop()
            let leases = MemcachedLeases(host: "127.0.0.1", port: memcached.port, timeout: .milliseconds(50))
            let budget = TierBudget(.seconds(60))
            guard case .unknown = await leases.lease(for: work, budget: budget) else {
                Issue.record("there is an answer")
                return
            }
            #expect(budget.remaining > .seconds(30))
        }
    }
}
