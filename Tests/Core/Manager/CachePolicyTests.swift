@testable import DarkroomCore
import DarkroomTestKit
import FoundationEssentials
import TestSupport
import Testing

/// An option of a plug-in, with which originals are decoded to other pixels.
private enum InkKey: ImageContextKey {
    static var defaultValue: String? { nil }
    static func effect(of value: String?) -> ContextEffect { .result(value.map { "Ink(\($0))" }) }
}

/// A data cache whose tickets wait for the gate.
private struct SlowTickets: DataCacheWrapper {
    let base = FakeDataCache()
    let asked = Recorder<String>()
    let gate = Gate()

    func ticket(forSource source: String) async throws -> StoreTicket {
        asked.note(source)
        await gate.wait()
        return try await base.ticket(forSource: source)
    }
}

@Suite(.bounded)
struct CachePolicyTests {
    private static let decodingOptions: [@Sendable (inout ImageContext) -> Void] = [
        { $0.scaleDownByteCount = 96 }, { $0.usesFirstFrameOnly = true }, { $0.keepsProfile = true },
        { $0.colorSpace = .displayP3 }, { $0[InkKey.self] = "red" },
    ]

    private let small: @Sendable (inout ImageContext) -> Void = {
        $0.thumbnail = .fit(6, 6)
        $0.waitsForStore = true
    }

    private func load(_ box: Darkbox, _ change: (inout CachePolicy) -> Void) async throws -> LoadResult {
        var policy = CachePolicy()
        change(&policy)
        return try await box.load {
            small(&$0)
            $0.cachePolicy = policy
        }
    }

    @Test func withoutTiersNothingIsReadOrStored() async throws {
        let box = Darkbox()
        for _ in 0..<2 { #expect(try await load(box) { $0 = .none }.origin == .network) }
        #expect(box.images.keys.isEmpty && box.data.keys.isEmpty)
    }

    @Test func resultIsStoredOnlyInTheGivenTiers() async throws {
        let box = Darkbox()
        _ = try await load(box) { $0.store = .memory }
        #expect(box.images.keys.count == 1)
        #expect(box.data.keys.map(\.variant) == [[]], "the original alone")
        _ = try await load(box) { ($0.query, $0.store, $0.originalStore) = (.none, .disk, .none) }
        #expect(box.data.keys.count == 2)
    }

    @Test func diskHitIsCopiedToMemoryOnlyIfStoredThere() async throws {
        let box = Darkbox()
        _ = try await load(box) { _ in }
        box.images.removeAll()
        #expect(try await load(box) { $0.store = .disk }.origin == .disk)
        #expect(box.images.keys.isEmpty)
        #expect(try await load(box) { _ in }.origin == .disk)
        #expect(box.images.keys.count == 1)
    }

    @Test func diskOnlyQuerySkipsMemory() async throws {
        let box = Darkbox()
        _ = try await load(box) { _ in }
        #expect(try await load(box) { $0.query = .disk }.origin == .disk)
        #expect(try await load(box) { $0.query = .none }.origin == .original)
        #expect(try await load(box) { ($0.query, $0.originalQuery) = (.none, .none) }.origin == .network)
    }

    @Test func plainLoadIsStoredOnDiskIfEitherStoreIncludesIt() async throws {
        for (store, originalStore, isKept) in [
            (CachePolicy.Tiers.memory, CachePolicy.Tiers.disk, true), (.disk, .none, true), (.memory, .none, false),
        ] {
            let box = Darkbox()
            _ = try await box.load {
                $0.waitsForStore = true
                $0.cachePolicy.store = store
                $0.cachePolicy.originalStore = originalStore
            }
            #expect(box.data.keys.isEmpty != isKept)
        }
    }

    @Test func originalInMemoryCanBeUsed() async throws {
        let box = Darkbox()
        _ = try await box.load { $0.waitsForStore = true }
        await #expect(throws: Never.self) { try await box.data.removeAll() }
        let result = try await load(box) { $0.originalQuery = .all }
        #expect(result.origin == .memory && result.image.size == PixelSize(6, 4))
        #expect(box.loader.requests.count == 1)
    }

    @Test func originalOfATransformedImageCanBeStoredInMemory() async throws {
        let box = Darkbox()
        let context: @Sendable (inout ImageContext) -> Void = {
            $0.transformers = [Darken()]
            $0.cachePolicy.originalStore = .all
        }
        _ = try await box.load(context)
        #expect(box.images.keys.count == 2)
        #expect(box.manager.cachedImage(for: Darkbox.url)?.bitmap == Darkbox.bitmap)
    }

    @Test func thumbnailOfAnOriginalInMemoryDoesNotReplaceIt() async throws {
        let box = Darkbox()
        _ = try await box.load { $0.waitsForStore = true }
        let small = try await load(box) { ($0.originalQuery, $0.originalStore) = (.all, .all) }
        #expect(small.origin == .memory && small.image.metadata.thumbnail == .fit(6, 6))
        let full = try await box.load()
        #expect(full.origin == .memory && full.image.bitmap == Darkbox.bitmap)
    }

    @Test(arguments: decodingOptions)
    func imageOfOtherOptionsIsNotStoredAsTheOriginal(option: @Sendable (inout ImageContext) -> Void) async throws {
        let box = Darkbox()
        _ = try await box.load {
            option(&$0)
            $0.cachePolicy.originalStore = .all
        }
        #expect(box.images.keys.count == 1 && box.manager.cachedImage(for: Darkbox.url) == nil)
    }

    @Test(arguments: decodingOptions)
    func originalInMemoryIsNotUsedWithOtherOptions(option: @Sendable (inout ImageContext) -> Void) async throws {
        let box = Darkbox()
        _ = try await box.load { $0.waitsForStore = true }
        var context = ImageContext {
            $0.cachePolicy.originalQuery = .all
            $0.transformers = [Darken()]
        }
        option(&context)
        let plan = await box.manager.explain(Darkbox.url, context: context)
        let result = try await box.manager.load(Darkbox.url, context: context)
        #expect(plan.origin == .original && result.origin == .original)
    }

    /// Otherwise both would share the run that finds the original.
    @Test func loadWithOtherOptionsDoesNotJoinOneThatUsesTheOriginalInMemory() async throws {
        let disk = SlowTickets()
        let box = Darkbox { $0.dataCache = disk }
        // One of the app has no tickets of a load, so a load takes some before it uses the image.
        let original = try #require(Image(frames: [Frame(Darkbox.bitmap, duration: .zero)]))
        box.images.store(original, for: CacheKey(source: Darkbox.url.absoluteString))
        @Sendable func origin(keepsProfile: Bool) async throws -> LoadResult.Origin {
            try await box.load {
                $0.thumbnail = .fit(6, 6)
                $0.keepsProfile = keepsProfile
                $0.cachePolicy.query = .memory
                $0.cachePolicy.originalQuery = .memory
            }.origin
        }
        let first = Task { try await origin(keepsProfile: false) }
        await disk.asked.waitForValues(1)
        let second = Task { try await origin(keepsProfile: true) }
        await StateChanges.wait { disk.asked.values.count == 2 || box.manager.joinedCount == 1 }
        disk.gate.open()
        #expect(try await first.value == .memory)
        #expect(try await second.value == .network)
    }

    @Test func newlyUnstorableOriginalIsRemovedFromItsCache() async throws {
        let (originals, asked) = (FakeDataCache(), Recorder<Int>())
        let box = Darkbox(
            FakeLoader { request in
                asked.note(1)
                let control = asked.values.count == 1 ? "max-age=0" : "no-store"
                return LoadResponse(
                    .data(Darkbox.file),
                    metadata: ResponseMetadata(url: request.url, status: 200, headers: ["cache-control": control]))
            }
        ) { $0.originalCache = originals }
        _ = try await load(box) { _ in }
        #expect(originals.keys.count == 1)
        _ = try await load(box) { _ in }
        #expect(originals.keys.isEmpty && box.data.keys.isEmpty && asked.values.count == 2)
    }

    @Test func originalsCanHaveASeparateCache() async throws {
        let originals = FakeDataCache()
        let box = Darkbox { $0.originalCache = originals }
        _ = try await load(box) { _ in }
        #expect(originals.keys.map(\.variant) == [[]])
        #expect(box.data.keys.map(\.variant) == [["Thumbnail({6.000000,6.000000},1)"]])
        box.images.removeAll()
        try await box.data.removeAll()
        #expect(try await load(box) { _ in }.origin == .original)
        try await box.manager.removeAll(of: Darkbox.url)
        #expect(originals.keys.isEmpty)
    }
}
