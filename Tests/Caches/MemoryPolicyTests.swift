import DarkroomCaches
import DarkroomCore
import DarkroomTestKit
import Testing

/// Hit ratios on seeded traces. The figures in the documentation of `MemoryImageCache.Policy` come from longer traces
/// of the same kind.
@Suite struct MemoryPolicyTests {
    private static let capacity = 100
    private static let requestCount = 8000

    private let image: Image
    private var random = SeededGenerator(seed: 1)

    init() throws { image = try .still() }

    /// Returns the number of hits of `trace`, if every miss is stored.
    private func hitCount(_ trace: [Int], _ policy: MemoryImageCache.Policy) -> Int {
        let cache = MemoryImageCache(byteLimit: Self.capacity * 4, policy: policy)
        return trace.count { number in
            let key = CacheKey(source: "\(number)")
            let isHit = cache.image(for: key) != nil
            if !isHit { cache.store(image, for: key) }
            return isHit
        }
    }

    private func compare(_ name: String, _ trace: [Int]) -> (scanResistant: Int, leastRecentlyUsed: Int) {
        let (resistant, recent) = (hitCount(trace, .scanResistant), hitCount(trace, .leastRecentlyUsed))
        print("hits of \(trace.count), \(name): scan resistant \(resistant), least recently used \(recent)")
        return (resistant, recent)
    }

    /// Returns one of 1,023 keys with a probability of about 1/k: each power of two is equally likely.
    private mutating func popular() -> Int {
        let power = 1 << Int.random(in: 0..<10, using: &random)
        return power + Int.random(in: 0..<power, using: &random)
    }

    @Test mutating func popularImagesStay() {
        let (resistant, recent) = compare("Zipf", (0..<Self.requestCount).map { _ in popular() })
        #expect(resistant > recent)
    }

    @Test mutating func scansDoNotEvictPopularImages() {
        let trace = (0..<Self.requestCount).map { $0 / 200 % 2 == 0 ? popular() : 10_000 + $0 }
        let (resistant, recent) = compare("Zipf with scans", trace)
        #expect(Double(resistant) > Double(recent) * 1.1)
    }

    @Test func slightlyTooLongLoopHasHits() {
        let (resistant, recent) = compare("loop", (0..<Self.requestCount).map { $0 % (Self.capacity + 10) })
        #expect(recent == 0)
        #expect(resistant > Self.requestCount / 4)
    }

    @Test(arguments: MemoryImageCache.Policy.allCases)
    func loopThatFitsAlwaysHits(_ policy: MemoryImageCache.Policy) {
        #expect(hitCount((0..<1000).map { $0 % Self.capacity }, policy) == 900)
    }

    /// The cost of scan resistance, and the reason for the larger small queue.
    @Test mutating func listScrolledBackAndForthHitsLessOften() {
        var (row, step) = (500, 1)
        let trace = (0..<Self.requestCount).map { index in
            if index % 50 == 0 { step = Bool.random(using: &random) ? 1 : -1 }
            row += step
            return row
        }
        let (resistant, recent) = compare("scrolled list", trace)
        #expect(recent > resistant)
        #expect(Double(resistant) > Double(recent) * 0.6)
    }

    @Test func usedImageOutlivesUnusedOne() throws {
        let cache = MemoryImageCache(countLimit: 3, policy: .scanResistant)
        for key: CacheKey in ["a", "b", "c"] { cache.store(image, for: key) }
        _ = cache.image(for: "a")
        for number in 0..<5 { cache.store(image, for: CacheKey(source: "\(number)")) }
        #expect(cache.contains("a"))
        #expect(!cache.contains("b") && !cache.contains("c"))
    }

    @Test func imageStoredAgainStays() throws {
        let cache = MemoryImageCache(countLimit: 4, policy: .scanResistant)
        for key: CacheKey in ["a", "b", "c", "d", "e"] { cache.store(image, for: key) }
        #expect(!cache.contains("a"))
        cache.store(image, for: "a")
        for number in 0..<9 { cache.store(image, for: CacheKey(source: "\(number)")) }
        #expect(cache.contains("a"))
    }

    @Test func newestImageIsAlwaysCached() throws {
        let cache = MemoryImageCache(countLimit: 4, policy: .scanResistant)
        for number in 0..<100 {
            let key = CacheKey(source: "\(number)")
            cache.store(image, for: key)
            #expect(cache.contains(key))
            for _ in 0..<3 { _ = cache.image(for: CacheKey(source: "\(number / 2)")) }
        }
    }
}
