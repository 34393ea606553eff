@testable import DarkroomCore
import DarkroomTestKit
import FoundationEssentials
import TestSupport
import Testing

/// A cache of decoded originals, beside that of results.
@Suite(.bounded)
struct OriginalImageCacheTests {
    private static let original = CacheKey(source: Darkbox.url.absoluteString)
    private static let variant = CacheKey(source: Darkbox.url.absoluteString, variant: ["Darken()"])

    /// A load that reads and stores its decoded original, too.
    private static let context = ImageContext {
        $0.transformers = [Darken()]
        $0.cachePolicy.originalQuery = .all
        $0.cachePolicy.originalStore = .all
        $0.waitsForStore = true
    }

    private let originals = FakeImageCache()

    private func box(_ loader: FakeLoader = FakeLoader(Darkbox.file)) -> Darkbox {
        Darkbox(loader) { [originals] in $0.originalImageCache = originals }
    }

    private static func image(of bitmap: Bitmap) -> Image {
        Image(info: ImageInfo(format: .plain, storedSize: bitmap.size), bitmap: bitmap)
    }

    @Test func originalsAndResultsAreInDifferentCaches() async throws {
        let box = box()
        _ = try await box.manager.load(Darkbox.url, context: Self.context)
        #expect(originals.keys == [Self.original] && box.images.keys == [Self.variant])
        let plain = try await box.load()
        #expect(plain.origin == .memory && plain.image.bitmap == Darkbox.bitmap, "it is the original")
        #expect(box.manager.cachedImage(for: Darkbox.url) != nil)
        #expect(box.manager.cachedImage(for: Darkbox.url, context: Self.context) != nil)
        box.images.removeAll()
        try await box.data.removeAll()
        let plan = await box.manager.explain(Darkbox.url, context: Self.context)
        #expect(plan.steps.map(\.location) == ["memory", "result on disk", "original in memory"])
        #expect(plan.origin == .memory && plan.decision == .fresh(for: nil))
        #expect(try await box.manager.load(Darkbox.url, context: Self.context).origin == .memory)
        #expect(box.loader.requests.count == 1)
    }

    @Test func resultOfAPlainLoadIsCachedWithTheOriginals() async throws {
        let box = box()
        _ = try await box.load()
        #expect(originals.keys == [Self.original] && box.images.keys.isEmpty)
        #expect(try await box.load().origin == .memory)
        try await box.manager.store(Self.image(of: Bitmap(1, 1) { _, _ in .white }), for: Darkbox.url)
        #expect(originals.image(for: Self.original)?.size == PixelSize(1, 1))
    }

    @Test func managerWithoutACacheOfResultsCachesOriginals() async throws {
        let manager = try ImageManager { [originals] in
            $0.install(FakeLoader(Darkbox.file))
            $0.install(PlainCoder())
            $0.originalImageCache = originals
        }
        for origin in [LoadResult.Origin.network, .memory] {
            #expect(try await manager.load(Darkbox.url).origin == origin)
        }
    }

    @Test(arguments: [false, true]) func removalsReachBothCaches(_ removesAll: Bool) async throws {
        let box = box()
        _ = try await box.manager.load(Darkbox.url, context: Self.context)
        if removesAll {
            try await box.manager.removeAll()
        } else {
            try await box.manager.removeAll(of: Darkbox.url)
        }
        #expect(originals.keys.isEmpty && box.images.keys.isEmpty && box.data.keys.isEmpty)
    }

    @Test func memoryPressureReachesBothCaches() async throws {
        let box = box()
        _ = try await box.manager.load(Darkbox.url, context: Self.context)
        box.manager.didReceiveMemoryPressure(.critical)
        #expect(originals.keys.isEmpty && box.images.keys.isEmpty)
    }

    @Test func memoryBudgetCountsBothCaches() throws {
        let (budget, caches) = (MemoryBudget(), [TenantCache(heldByteCount: 7), TenantCache(heldByteCount: 7)])
        let manager = try ImageManager {
            $0.memoryBudget = budget
            $0.imageCache = caches[0]
            $0.originalImageCache = caches[1]
        }
        #expect(budget.heldByteCount == 14)
        withExtendedLifetime((manager, caches)) {}
    }

    @Test func changedBytesRemoveTheImagesOfBothCaches() async throws {
        let newFile = PlainCoder.file(of: Bitmap(12, 8) { _, _ in .white })
        let asked = Recorder<Int>()
        let box = box(
            FakeLoader { _ in
                asked.note(1)
                return LoadResponse(.data(asked.values.count == 1 ? Darkbox.file : newFile))
            })
        _ = try await box.manager.load(Darkbox.url, context: Self.context)
        let old = [originals, box.images].map { $0.ticket(forSource: Self.original.source) }
        _ = try await box.load {
            $0.cacheUse = .refresh
            $0.cachePolicy.store = .disk
        }
        #expect(originals.keys.isEmpty && box.images.keys.isEmpty)
        // A result of the old bytes that is still in the making is not stored, either.
        originals.store(Self.image(of: Darkbox.bitmap), for: Self.original, with: old[0])
        box.images.store(Self.image(of: Darkbox.bitmap), for: Self.variant, with: old[1])
        #expect(originals.keys.isEmpty && box.images.keys.isEmpty)
    }

    @Test func contextCanProvideTheCacheOfOriginals() async throws {
        let (box, own) = (box(), FakeImageCache())
        var context = Self.context
        context.originalImageCache = own
        _ = try await box.manager.load(Darkbox.url, context: context)
        #expect(own.keys == [Self.original] && box.images.keys == [Self.variant] && originals.keys.isEmpty)
        #expect(try await box.load { $0.cacheUse = .cacheOnly }.origin == .disk, "a load without it does not see it")
        context.transformers = []
        let plain = try await box.manager.load(Darkbox.url, context: context)
        #expect(plain.origin == .memory)
    }

    /// A request with its own image cache leaves nothing in those of the manager.
    @Test func imageCacheOfAContextIsAlsoThatOfItsOriginals() async throws {
        let (box, own) = (box(), FakeImageCache())
        var context = Self.context
        context.imageCache = own
        _ = try await box.manager.load(Darkbox.url, context: context)
        #expect(own.keys == [Self.original, Self.variant] && originals.keys.isEmpty && box.images.keys.isEmpty)
    }

    @Test func imagesOfASourceComeFromBothCaches() {
        let cache = SplitImageCache(originals: originals, results: FakeImageCache())
        let image = Self.image(of: Darkbox.bitmap)
        for key in [Self.original, Self.variant] {
            cache.store(image, for: key)
            // A cache that other managers share may have more.
            originals.store(image, for: key)
        }
        #expect(cache.images(ofSource: Self.original.source).map(\.0) == [Self.original, Self.variant])
    }

    @Test func bothTogetherMeetTheContractOfImageCaches() async throws {
        try await ImageCacheContract {
            SplitImageCache(originals: FakeImageCache(), results: FakeImageCache())
        }.checkAll()
        try await ImageCacheContract {
            let cache = FakeImageCache()
            return SplitImageCache(originals: cache, results: cache)
        }.checkAll()
    }
}
