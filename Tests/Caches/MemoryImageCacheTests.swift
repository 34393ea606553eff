import DarkroomCore
import DarkroomTestKit
import Testing

@testable import DarkroomCaches

@Suite struct MemoryImageCacheTests {
    @Test func storedEntryIsFound() throws {
        let cache = MemoryImageCache()
        cache.store(try .still(pixelCount: 3), for: "a")
        #expect(cache.image(for: "a")?.size == PixelSize(3, 1))
        #expect(cache.contains("a"))
        #expect(cache.image(for: "b") == nil)
        #expect((cache.count, cache.totalCost) == (1, 12))
    }

    @Test func storingAgainReplaces() throws {
        let cache = MemoryImageCache()
        cache.store(try .still(pixelCount: 3), for: "a")
        cache.store(try .still(pixelCount: 5), for: "a")
        #expect(cache.image(for: "a")?.size == PixelSize(5, 1))
        #expect((cache.count, cache.totalCost) == (1, 20))
    }

    @Test func leastRecentlyUsedEntryIsEvicted() throws {
        let cache = MemoryImageCache(byteLimit: 12, policy: .leastRecentlyUsed)
        for key: CacheKey in ["a", "b", "c"] { cache.store(try .still(), for: key) }
        _ = cache.image(for: "a")
        cache.store(try .still(), for: "d")
        #expect(["a", "b", "c", "d"].map { cache.contains($0) } == [true, false, true, true])
    }

    @Test func containsIsNotAUse() throws {
        let cache = MemoryImageCache(countLimit: 2, policy: .leastRecentlyUsed)
        cache.store(try .still(), for: "a")
        cache.store(try .still(), for: "b")
        #expect(cache.contains("a"))
        cache.store(try .still(), for: "c")
        #expect(!cache.contains("a"))
    }

    @Test func oversizedEntryIsNotStoredAndRemovesTheOldOne() throws {
        let cache = MemoryImageCache(byteLimit: 10)
        cache.store(try .still(), for: "a")
        cache.store(try .still(), for: "b")
        cache.store(try .still(pixelCount: 3), for: "a")
        #expect(!cache.contains("a"))
        #expect(cache.contains("b"))
        #expect(cache.totalCost == 4)
    }

    @Test func lowerLimitsTakeEffectAtOnce() throws {
        let cache = MemoryImageCache()
        for key: CacheKey in ["a", "b", "c", "d"] { cache.store(try .still(), for: key) }
        cache.byteLimit = 12
        #expect(cache.count == 3)
        cache.countLimit = 1
        #expect(cache.contains("d"))
        #expect((cache.count, cache.totalCost) == (1, 4))
        cache.countLimit = 0
        cache.store(try .still(), for: "e")
        #expect(cache.count == 0)
    }

    @Test(arguments: [Int.min, -1, 0]) func nothingIsStoredWithoutRoom(_ byteLimit: Int) throws {
        let cache = MemoryImageCache(byteLimit: byteLimit)
        cache.store(try .still(), for: "a")
        #expect(cache.count == 0)
    }

    @Test(arguments: [Int.min, -1, 0, .max]) func customCostsCannotOverflow(_ cost: Int) throws {
        let cache = MemoryImageCache(byteLimit: .max)
        var image = try Image.still()
        image.metadata.memoryCost = cost
        cache.store(try .still(), for: "a")
        for key: CacheKey in ["b", "c"] { cache.store(image, for: key) }
        #expect(cache.contains("c"))
        #expect(cache.totalCost == (cost == .max ? .max : 4))
    }

    @Test func sourceIsRemovedWithAllItsVariants() throws {
        let cache = MemoryImageCache()
        for variant in [[], ["A"], ["A", "B"], ["A-B"]] {
            cache.store(try .still(), for: CacheKey(source: "a.png", variant: variant))
            cache.store(try .still(), for: CacheKey(source: "b.png", variant: variant))
        }
        cache.removeAll(ofSource: "a.png")
        #expect((cache.count, cache.totalCost) == (4, 16))
        #expect(!cache.contains("a.png"))
        cache.remove("b.png")
        #expect(cache.count == 3)
        cache.removeAll()
        #expect((cache.count, cache.totalCost) == (0, 0))
    }

    /// Compares with a model: a list of keys, the newest last.
    @Test(arguments: 0..<20) func evictionOrderEqualsThatOfAModel(_ seed: Int) throws {
        var random = SeededGenerator(seed: seed)
        let cache = MemoryImageCache(countLimit: 8, policy: .leastRecentlyUsed)
        var model: [CacheKey] = []
        for _ in 0..<500 {
            let (source, variant) = (Int.random(in: 0..<5, using: &random), Int.random(in: 0..<4, using: &random))
            let key = CacheKey(source: "\(source)", variant: ["\(variant)"])
            switch Int.random(in: 0..<8, using: &random) {
            case 0:
                cache.remove(key)
                model.removeAll { $0 == key }
            case 1 where Bool.random(using: &random):
                cache.removeAll(ofSource: key.source)
                model.removeAll { $0.source == key.source }
            case 1...4:
                cache.store(try .still(), for: key)
                model.removeAll { $0 == key }
                model = (model + [key]).suffix(8)
            default:
                #expect((cache.image(for: key) != nil) == model.contains(key))
                if let index = model.firstIndex(of: key) { model.append(model.remove(at: index)) }
            }
            #expect(cache.count == model.count)
            #expect(cache.totalCost == model.count * 4)
        }
    }

    @Test(arguments: MemoryImageCache.Policy.allCases)
    func totalsAreCorrectAfterRandomOperations(_ policy: MemoryImageCache.Policy) throws {
        var random = SeededGenerator(seed: 1)
        let cache = MemoryImageCache(byteLimit: 100, policy: policy)
        var kept: [CacheKey: Int] = [:]
        for _ in 0..<3000 {
            let key = CacheKey(
                source: "\(Int.random(in: 0..<20, using: &random))", variant: Bool.random(using: &random) ? ["v"] : [])
            switch Int.random(in: 0..<12, using: &random) {
            case 0:
                cache.remove(key)
                kept[key] = nil
            case 1:
                cache.removeAll(ofSource: key.source)
                kept = kept.filter { $0.key.source != key.source }
            case 2: cache.byteLimit = Int.random(in: 20...100, using: &random)
            case 3: cache.countLimit = Bool.random(using: &random) ? nil : Int.random(in: 1...10, using: &random)
            case 4...7: _ = cache.image(for: key)
            default:
                let pixelCount = Int.random(in: 1...9, using: &random)
                cache.store(try .still(pixelCount: pixelCount), for: key)
                kept[key] = pixelCount
            }
            kept = kept.filter { cache.contains($0.key) }
            #expect(kept.values.reduce(0, +) * 4 == cache.totalCost && cache.totalCost == cache.heldByteCount)
            #expect(kept.count == cache.count)
            #expect(cache.totalCost <= cache.byteLimit && cache.count <= cache.countLimit ?? .max)
        }
        cache.removeAll()
        #expect((cache.count, cache.totalCost, cache.heldByteCount) == (0, 0, 0))
    }

    @Test func imagesWithoutCostAreLimitedByCount() throws {
        let cache = MemoryImageCache(byteLimit: 0, countLimit: 2)
        var image = try Image.still()
        image.metadata.memoryCost = 0
        for key: CacheKey in ["a", "b", "c"] { cache.store(image, for: key) }
        #expect((cache.count, cache.totalCost, cache.heldByteCount) == (2, 0, 8))
    }

    @Test func sharedPixelsCostOnce() throws {
        let bitmaps = try (0..<2).map { _ in try Bitmap(PixelSize(1, 1), hasAlpha: false) { _ in } }
        let frames = [0, 1, 0, 1, 1].map { Frame(bitmaps[$0], duration: .seconds(1)) }
        let image = try #require(Image(frames: frames))
        #expect(image.memoryCost == 8)
    }

    @Test func imagesOfASourceAreFoundWithoutAUse() throws {
        let cache = MemoryImageCache(countLimit: 3, policy: .leastRecentlyUsed)
        let keys = [CacheKey(source: "a"), CacheKey(source: "a", variant: ["v"]), CacheKey(source: "b")]
        for (index, key) in keys.enumerated() { cache.store(try .still(pixelCount: index + 1), for: key) }
        let found = Dictionary(uniqueKeysWithValues: cache.images(ofSource: "a").map { ($0.0, $0.1.size.width) })
        #expect(found == [keys[0]: 1, keys[1]: 2])
        #expect(cache.images(ofSource: "c").isEmpty)
        cache.store(try .still(), for: "d")
        #expect(!cache.contains(keys[0]))
    }

    @Test(arguments: MemoryImageCache.Policy.allCases)
    func totalsAreCorrectAfterConcurrentOperations(_ policy: MemoryImageCache.Policy) async throws {
        let cache = MemoryImageCache(byteLimit: 64, policy: policy, keepsWeakReferences: true)
        let image = try Image.still()
        await withTaskGroup { group in
            for task in 0..<8 {
                group.addTask {
                    var random = SeededGenerator(seed: task)
                    for _ in 0..<500 {
                        let key = CacheKey(source: "\(Int.random(in: 0..<32, using: &random))")
                        switch Int.random(in: 0..<4, using: &random) {
                        case 0: cache.remove(key)
                        case 1: cache.byteLimit = Int.random(in: 32...64, using: &random)
                        case 2: _ = cache.image(for: key)
                        default: cache.store(image, for: key)
                        }
                    }
                }
            }
        }
        #expect(cache.totalCost == cache.count * 4)
        #expect(cache.totalCost <= cache.byteLimit)
    }
}
