@testable import DarkroomCore
import DarkroomTestKit
import FoundationEssentials
import TestSupport
import Testing

@Suite(.bounded)
struct CachePolicyTests {
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
