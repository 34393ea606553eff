import DarkroomCaches
import DarkroomCore
import Testing

@Suite struct MemoryPressureResponseTests {
    private let cache = MemoryImageCache(policy: .leastRecentlyUsed)

    init() throws {
        for number in 0..<8 { cache.store(try .still(), for: CacheKey(source: "\(number)")) }
    }

    @Test func warningHalvesTheCache() {
        cache.respond(to: .warning)
        #expect((0..<8).map { cache.contains(CacheKey(source: "\($0)")) } == (0..<8).map { $0 >= 4 })
        cache.respond(to: .warning)
        #expect(cache.count == 2)
    }

    @Test func criticalPressureEmptiesTheCache() {
        cache.respond(to: .critical)
        #expect((cache.count, cache.totalCost) == (0, 0))
    }

    @Test func normalPressureEvictsNothing() {
        cache.respond(to: .normal)
        #expect(cache.count == 8)
    }

    @Test func pressureDoesNotChangeTheLimit() throws {
        let limit = cache.byteLimit
        cache.respond(to: .critical)
        #expect(cache.byteLimit == limit)
        cache.store(try .still(), for: "a")
        #expect(cache.contains("a"))
    }

    @Test func allTiersRespondAndAreTenants() throws {
        let other = MemoryImageCache()
        other.store(try .still(), for: "a")
        let tiers = TieredImageCache([cache, other])
        #expect(tiers.memoryTenants.map(\.heldByteCount) == [32, 4])
        #expect(tiers.images(ofSource: "a").map(\.0) == ["a"])
        tiers.respond(to: .critical)
        #expect(cache.count + other.count == 0)
    }

    @Test func budgetShrinksTheCache() async throws {
        let budget = MemoryBudget(byteLimit: 40)
        for tenant in cache.memoryTenants { budget.add(tenant) }
        #expect((budget.heldByteCount, budget.availableByteCount) == (32, 8))
        let reservation = try await budget.reserve(20)
        #expect(cache.count == 5)
        #expect(cache.contains("7") && !cache.contains("2"))
        reservation.release()
    }
}
