import DarkroomCaches
import DarkroomCore
import DarkroomTestKit
import FoundationEssentials
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct TieredCacheTests {
    private let upper = FakeDataCache()
    private let lower = FakeDataCache()
    private let key = CacheKey(source: "http://example.com/a.png")
    private var entry: DataEntry {
        DataEntry(Data([1, 2, 3]), metadata: DataEntry.Metadata(storedAt: Date(timeIntervalSinceReferenceDate: 0)))
    }

    private func cache(_ configure: (inout TierPolicies) -> Void = { _ in }) -> TieredDataCache {
        var policies = TierPolicies()
        configure(&policies)
        return TieredDataCache([upper, lower], policies: policies)
    }

    @Test(arguments: [TierPolicy.serial, .concurrent])
    func anyTierMayHaveIt(policy: TierPolicy) async throws {
        try await lower.store(entry, for: key)
        let cache = cache {
            $0.query = policy
            $0.contains = policy
        }
        #expect(try await cache.entry(for: key) == entry)
        #expect(try await cache.contains(key))
        #expect(upper.keys.isEmpty, "a hit is not copied up unless asked")
        #expect(try await cache.entry(for: CacheKey(source: "other")) == nil)
    }

    @Test func onlyTheTierNamedIsAsked() async throws {
        try await lower.store(entry, for: key)
        #expect(try await cache { $0.query = .highestOnly }.entry(for: key) == nil)
        #expect(try await cache { $0.query = .lowestOnly }.entry(for: key) == entry)
        #expect(try await !cache { $0.contains = .highestOnly }.contains(key))
    }

    @Test(arguments: [
        (TierPolicy.highestOnly, 1, 0), (.lowestOnly, 0, 1), (.serial, 1, 1), (.concurrent, 1, 1),
    ])
    func entriesAreKeptWhereThePolicySays(policy: TierPolicy, inUpper: Int, inLower: Int) async throws {
        try await cache { $0.store = policy }.store(entry, for: key)
        #expect(upper.keys.count == inUpper && lower.keys.count == inLower)
    }

    @Test func aHitMayBeCopiedUp() async throws {
        try await lower.store(entry, for: key)
        #expect(try await cache { $0.copiesHitsUp = true }.entry(for: key) == entry)
        #expect(try await upper.entry(for: key) == entry)
    }

    @Test(arguments: [TierPolicy.serial, .concurrent])
    func aTierThatFailsHoldsUpNoOther(policy: TierPolicy) async throws {
        let cache = cache {
            $0.query = policy
            $0.store = policy
        }
        upper.fail(with: ImageError(.internal, .cache, "the disk is gone"))
        await #expect(throws: ImageError.self) { try await cache.store(entry, for: key) }
        #expect(try await cache.entry(for: key) == entry)
    }

    @Test func removingAndClearingReachAllTiers() async throws {
        for tier in [upper, lower] { try await tier.store(entry, for: key) }
        try await cache().remove(key)
        #expect(upper.keys.isEmpty && lower.keys.isEmpty)
        for tier in [upper, lower] { try await tier.store(entry, for: key) }
        try await cache { $0.clear = .lowestOnly }.removeAll()
        #expect(!upper.keys.isEmpty && lower.keys.isEmpty)
    }

    @Test func allTiersAreTrimmed() async throws {
        try await cache().trim()
        #expect(upper.trimCount == 1 && lower.trimCount == 1)
        upper.fail(with: ImageError(.internal, .cache, "the disk is gone"))
        await #expect(throws: ImageError.self) { try await cache().trim() }
        #expect(lower.trimCount == 2)
    }

    @Test func noTierIsAMiss() async throws {
        try await TieredDataCache([]).store(entry, for: key)
        #expect(try await TieredDataCache([]).entry(for: key) == nil)
        #expect(TieredImageCache([]).image(for: key) == nil)
    }

    @Test func imagesAreFoundInAnyTier() {
        let bitmap = Bitmap(1, 1) { _, _ in .white }
        let image = Image(info: ImageInfo(format: .png, storedSize: bitmap.size), bitmap: bitmap)
        let (upper, lower) = (FakeImageCache(), FakeImageCache())
        lower.store(image, for: key)
        #expect(TieredImageCache([upper, lower]).image(for: key)?.bitmap == bitmap)
        #expect(upper.keys.isEmpty)
        var policies = TierPolicies()
        policies.copiesHitsUp = true
        _ = TieredImageCache([upper, lower], policies: policies).image(for: key)
        #expect(upper.contains(key))
        TieredImageCache([upper, lower]).removeAll()
        #expect(upper.keys.isEmpty && lower.keys.isEmpty)
    }
}
