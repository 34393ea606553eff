import DarkroomCaches
import DarkroomCore
import DarkroomTestKit
import FoundationEssentials
import TestSupport
import Testing

@Suite(.bounded)
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
    func hitInAnyTierIsFound(policy: TierPolicy) async throws {
        try await lower.store(entry, for: key)
        let cache = cache {
            $0.query = policy
            $0.contains = policy
        }
        #expect(try await cache.entry(for: key) == entry)
        #expect(try await cache.contains(key))
        #expect(upper.keys.isEmpty, "a hit is not promoted by default")
        #expect(try await cache.entry(for: CacheKey(source: "other")) == nil)
    }

    /// As in the command line and the server.
    @Test func originalsAreStoredInTheLowerTierOfTheResults() async throws {
        let url = try #require(URL(string: "http://example.com/a.plain"))
        let file = PlainCoder.file(of: .testCard(12, 8))
        let manager = try ImageManager {
            $0.install(FakeLoader(file))
            $0.install(PlainCoder())
            $0.dataCache = TieredDataCache([upper, lower], policies: .inclusive)
            $0.originalCache = lower
        }
        let context = ImageContext {
            $0.thumbnail = .fit(6, 6)
            $0.waitsForStore = true
        }
        let key = CacheKey(source: url.absoluteString)
        for use in [CacheUse.standard, .loaderOnly] {
            let result = try await manager.encoded(
                url, context: ImageContext { $0.cacheUse = use }.withDefaults(context), as: .plain)
            #expect(try await lower.entry(for: key)?.data == file)
            #expect(try await upper.contains(try #require(result.key)))
            #expect(try await lower.contains(try #require(result.key)))
        }
    }

    @Test(arguments: [TierPolicy.serial, .concurrent])
    func hitReadBeforeARemovalIsNotPromotedAfterIt(policy: TierPolicy) async throws {
        let late = LateTier(base: lower)
        try await lower.store(entry, for: key)
        var policies = TierPolicies.inclusive
        policies.query = policy
        let cache = TieredDataCache([upper, late], policies: policies)
        let lookup = Task { try await cache.entry(for: key) }
        await late.gate.waitForArrivals()
        try await cache.removeAll(ofSource: key.source)
        late.gate.open()
        #expect(try await lookup.value == entry)
        #expect(upper.keys.isEmpty && lower.keys.isEmpty)
    }

    @Test(arguments: [
        (nil, ["upper look up", "lower look up"]), (1, ["upper look up", "lower look up", "upper store"]),
        (0, ["upper look up", "lower ticket", "upper ticket"]),
    ])
    func lookUpVisitsEachTierOnceUnlessOneAboveAnotherHasTheEntry(place: Int?, expected: [String]) async throws {
        let visits = Recorder<String>()
        if let place { try await [upper, lower][place].store(entry, for: key) }
        let tiers = zip(["upper", "lower"], [upper, lower]).map { VisitedTier(base: $1, name: $0, visits: visits) }
        let lookup = await TieredDataCache(tiers, policies: .inclusive).lookUp(key)
        #expect(try lookup.entry.get() == (place == nil ? nil : entry))
        #expect(visits.values == expected)
        #expect(lookup.ticket.tiers.count == 2 && lookup.ticket.tiers.allSatisfy { !$0.isRefused })
    }

    @Test(arguments: 0...2) func ticketsOfALookUpAreOlderThanItsEntry(removedAfterVisit: Int) async throws {
        try await upper.store(entry, for: key)
        let visits = Recorder<String>()
        let tiers = zip(["upper", "lower"], [upper, lower]).map {
            VisitedTier(base: $1, name: $0, visits: visits) { [upper, lower, key] in
                guard visits.values.count == removedAfterVisit + 1 else { return }
                for tier in [lower, upper] { try? await tier.removeAll(ofSource: key.source) }
            }
        }
        let cache = TieredDataCache(tiers, policies: .inclusive)
        let lookup = await cache.lookUp(key)
        guard let found = try lookup.entry.get() else { return }
        // The removal came after the last visit.
        #expect(removedAfterVisit == 2)
        try await cache.store(found, for: key, with: lookup.ticket)
        #expect(upper.keys.isEmpty && lower.keys.isEmpty)
    }

    /// Another process has stored the response of a later load in the tier that both share.
    @Test func responseThatOneTierRefusesRemovesOlderEntriesFromTheOthers() async throws {
        let (moment, source) = (LoadMoment.now(), key.source)
        try await upper.store(entry, for: key)
        _ = try await lower.startGeneration(of: SourceResponse(of: source, at: .now()), after: nil)
        #expect(try await cache().startGeneration(of: SourceResponse(of: source, at: moment), after: nil) == nil)
        #expect(upper.keys.isEmpty)

        let (own, shared) = (FakeImageCache(), FakeImageCache())
        let info = ImageInfo(format: .plain, storedSize: PixelSize(2, 2))
        own.store(Image(info: info, bitmap: .testCard(2, 2)), for: key)
        _ = shared.startGeneration(of: SourceResponse(of: source, at: .now()), after: nil)
        #expect(
            TieredImageCache([own, shared]).startGeneration(of: SourceResponse(of: source, at: moment), after: nil)
                == nil)
        #expect(!own.contains(key))
    }

    @Test func onlyTheSelectedTierIsSearched() async throws {
        try await lower.store(entry, for: key)
        #expect(try await cache { $0.query = .highestOnly }.entry(for: key) == nil)
        #expect(try await cache { $0.query = .lowestOnly }.entry(for: key) == entry)
        #expect(try await !cache { $0.contains = .highestOnly }.contains(key))
    }

    @Test(arguments: [
        (TierPolicy.highestOnly, 1, 0), (.lowestOnly, 0, 1), (.serial, 1, 1), (.concurrent, 1, 1),
    ])
    func entriesAreStoredInTheSelectedTiers(policy: TierPolicy, inUpper: Int, inLower: Int) async throws {
        try await cache { $0.store = policy }.store(entry, for: key)
        #expect(upper.keys.count == inUpper && lower.keys.count == inLower)
    }

    @Test func hitIsPromotedIfConfigured() async throws {
        try await lower.store(entry, for: key)
        #expect(try await cache { $0.promotesHits = true }.entry(for: key) == entry)
        #expect(try await upper.entry(for: key) == entry)
    }

    @Test(arguments: [TierPolicy.serial, .concurrent])
    func failingTierDoesNotStopTheOthers(policy: TierPolicy) async throws {
        let cache = cache {
            $0.query = policy
            $0.store = policy
        }
        upper.fail(with: ImageError(.internal, .cache, "the disk is gone"))
        await #expect(throws: ImageError.self) { try await cache.store(entry, for: key) }
        #expect(try await cache.entry(for: key) == entry)
    }

    @Test(arguments: [TierPolicy.serial, .concurrent])
    func hitIsNotPromotedToAFailedTier(policy: TierPolicy) async throws {
        var newer = entry
        newer.data = Data([4])
        try await upper.store(newer, for: key)
        try await lower.store(entry, for: key)
        let unreadable = UnreadableTier(base: upper)
        var policies = TierPolicies()
        policies.query = policy
        policies.promotesHits = true
        let cache = TieredDataCache([unreadable, lower], policies: policies)
        #expect(try await cache.entry(for: key) == entry)
        #expect(try await upper.entry(for: key) == newer)
    }

    @Test func metadataIsUpdatedOnlyInTiersWithItsVersion() async throws {
        let entries = ["R1", "R2"].map { revision in
            var metadata = entry.metadata
            metadata.original = OriginalVersion(revision: revision)
            return DataEntry(Data(revision.utf8), metadata: metadata)
        }
        try await upper.store(entries[1], for: key)
        try await lower.store(entries[0], for: key)
        var metadata = entries[1].metadata
        metadata.extendedData = Data([5])
        try await cache().update(metadata, for: key)
        #expect(try await upper.entry(for: key)?.metadata == metadata)
        #expect(try await lower.entry(for: key) == entries[0])
    }

    @Test func removingAndClearingReachAllTiers() async throws {
        for tier in [upper, lower] { try await tier.store(entry, for: key) }
        try await cache().remove(key)
        #expect(upper.keys.isEmpty && lower.keys.isEmpty)
        for tier in [upper, lower] { try await tier.store(entry, for: key) }
        try await cache { $0.clear = .lowestOnly }.removeAll()
        #expect(!upper.keys.isEmpty && lower.keys.isEmpty)
    }

    @Test(arguments: [(TierPolicy.serial, 0, 0), (.concurrent, 0, 0), (.highestOnly, 0, 3), (.lowestOnly, 3, 0)])
    func sourceIsRemovedFromTheSelectedTiers(policy: TierPolicy, upperCount: Int, lowerCount: Int)
        async throws
    {
        let variants = [[], ["A"], ["A", "B"]].map { CacheKey(source: key.source, variant: $0) }
        let other = CacheKey(source: "other")
        for tier in [upper, lower] {
            for key in variants + [other] { try await tier.store(entry, for: key) }
        }
        try await cache { $0.remove = policy }.removeAll(ofSource: key.source)
        #expect(upper.keys.intersection(variants).count == upperCount && upper.keys.contains(other))
        #expect(lower.keys.intersection(variants).count == lowerCount && lower.keys.contains(other))
    }

    @Test func allTiersAreTrimmed() async throws {
        try await cache().trim()
        #expect(upper.trimCount == 1 && lower.trimCount == 1)
        upper.fail(with: ImageError(.internal, .cache, "the disk is gone"))
        await #expect(throws: ImageError.self) { try await cache().trim() }
        #expect(lower.trimCount == 2)
    }

    @Test func withoutTiersEveryLookupIsAMiss() async throws {
        try await TieredDataCache([]).store(entry, for: key)
        #expect(try await TieredDataCache([]).entry(for: key) == nil)
        #expect(TieredImageCache([]).image(for: key) == nil)
    }

    private static func image(_ width: Int = 1) -> Image {
        let bitmap = Bitmap(width, 1) { _, _ in .white }
        return Image(info: ImageInfo(format: .png, storedSize: bitmap.size), bitmap: bitmap)
    }

    @Test(arguments: [(TierPolicy.serial, 1, 1), (.concurrent, 1, 1), (.highestOnly, 1, 0), (.lowestOnly, 0, 1)])
    func imagesAreStoredInTheSelectedTiers(policy: TierPolicy, inUpper: Int, inLower: Int) {
        let (upper, lower) = (FakeImageCache(), FakeImageCache())
        let all = TieredImageCache([upper, lower], policies: .init(all: .serial))
        let cache = TieredImageCache([upper, lower], policies: .init(all: policy))
        cache.store(Self.image(), for: key)
        #expect(upper.keys.count == inUpper && lower.keys.count == inLower)
        #expect(cache.contains(key) && cache.image(for: key) != nil)
        all.store(Self.image(), for: key)
        cache.remove(key)
        #expect(upper.keys.count == 1 - inUpper && lower.keys.count == 1 - inLower)
        #expect(!cache.contains(key) && cache.image(for: key) == nil)
        let variant = CacheKey(source: key.source, variant: ["A"])
        all.store(Self.image(), for: variant)
        cache.removeAll(ofSource: key.source)
        #expect(upper.contains(variant) == (inUpper == 0) && lower.contains(variant) == (inLower == 0))
        all.store(Self.image(), for: key)
        cache.removeAll()
        #expect(upper.keys.isEmpty == (inUpper == 1) && lower.keys.isEmpty == (inLower == 1))
    }

    @Test func imagesOfASourceComeFromAllTiers() {
        let (upper, lower) = (FakeImageCache(), FakeImageCache())
        let variant = CacheKey(source: key.source, variant: ["A"])
        upper.store(Self.image(2), for: key)
        for image in [key, variant, "other"] { lower.store(Self.image(), for: image) }
        let found = TieredImageCache([upper, lower]).images(ofSource: key.source)
        #expect(Dictionary(found.map { ($0.0, $0.1.size.width) }, uniquingKeysWith: +) == [key: 2, variant: 1])
    }

    @Test func imagesAreFoundInAnyTier() {
        let image = Self.image()
        let (upper, lower) = (FakeImageCache(), FakeImageCache())
        lower.store(image, for: key)
        #expect(TieredImageCache([upper, lower]).image(for: key)?.bitmap == image.bitmap)
        #expect(upper.keys.isEmpty)
        var policies = TierPolicies()
        policies.promotesHits = true
        _ = TieredImageCache([upper, lower], policies: policies).image(for: key)
        #expect(upper.contains(key))
        TieredImageCache([upper, lower]).removeAll()
        #expect(upper.keys.isEmpty && lower.keys.isEmpty)
    }
}

extension TierPolicies {
    /// Creates the same policy for all operations of image caches.
    fileprivate init(all policy: TierPolicy) {
        self.init()
        (query, store, remove, contains, clear) = (policy, policy, policy, policy, policy)
    }
}

/// A tier that returns late what it has read.
private struct LateTier: DataCacheWrapper {
    let base: FakeDataCache
    let gate = Gate()

    func entry(for key: CacheKey) async throws -> DataEntry? {
        let entry = try await base.entry(for: key)
        await gate.wait()
        return entry
    }
}

/// A tier that records how it is used.
private struct VisitedTier: DataCacheWrapper {
    let base: FakeDataCache
    let name: String
    let visits: Recorder<String>
    var afterVisit: @Sendable () async -> Void = {}

    private func visit<Result>(_ use: String, _ result: Result) async -> Result {
        visits.note("\(name) \(use)")
        await afterVisit()
        return result
    }

    func lookUp(_ key: CacheKey) async -> DataLookup { await visit("look up", await base.lookUp(key)) }

    func ticket(forSource source: String) async throws -> StoreTicket {
        await visit("ticket", try await base.ticket(forSource: source))
    }

    func entry(for key: CacheKey) async throws -> DataEntry? { await visit("entry", try await base.entry(for: key)) }

    func store(_ entry: DataEntry, for key: CacheKey, with ticket: StoreTicket) async throws {
        await visit("store", try await base.store(entry, for: key, with: ticket))
    }
}

/// A tier whose disk can currently be written, but not read.
private struct UnreadableTier: DataCacheWrapper {
    let base: FakeDataCache

    func entry(for key: CacheKey) async throws -> DataEntry? { throw ImageError(.internal, .cache, "a bad block") }
}
