@testable import DarkroomCore
import DarkroomTestKit
import Testing

/// The cached runs of pages, with addresses that are never accessed.
struct PageCacheTests {
    private static let base = 1 << 40
    private static let limit = 40

    private func run(_ pages: Range<Int>) -> PageRun {
        unsafe PageRun(
            start: UnsafeMutableRawPointer(bitPattern: Self.base + pages.lowerBound).unsafelyUnwrapped,
            byteCount: pages.count)
    }

    private func pages(of run: PageRun) -> Range<Int> {
        let start = unsafe Int(bitPattern: run.start) - Self.base
        return start..<(start + run.byteCount)
    }

    /// Each page is in use, in the cache once, or released, whatever runs are allocated and returned.
    @Test(arguments: 0..<20) func noPageIsLostOrUsedTwice(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var (cache, used, end) = (PageCache(), [PageRun](), 0)
        var released = Set<Int>()
        for step in 0..<500 {
            switch Int.random(in: 0..<5, using: &random) {
            case 0, 1:
                let count = Int.random(in: 1...12, using: &random)
                let hasEnough = cache.runs.contains { $0.byteCount >= count }
                let run = cache.remove(count)
                #expect((run != nil) == hasEnough && run?.byteCount ?? count == count)
                used.append(run ?? self.run(end..<(end + count)))
                if run == nil { end += count }
            case 2, 3:
                guard let index = used.indices.randomElement(using: &random) else { continue }
                cache.add(used.remove(at: index))
                for run in cache.removeSurplus(beyond: Self.limit) { released.formUnion(pages(of: run)) }
            default:
                for var run in cache.removeUnused(since: .now) where Bool.random(using: &random) || step < 250 {
                    run.isReclaimable = true
                    cache.add(run)
                }
                // The runs that were not added again.
                released = Set(0..<end).subtracting((cache.runs + used).flatMap { pages(of: $0) })
            }
            let live = (cache.runs + used).flatMap { pages(of: $0) }
            #expect(live.count == Set(live).count && Set(live).union(released) == Set(0..<end))
            #expect(Set(live).isDisjoint(with: released))
            #expect(cache.byteCount == cache.runs.reduce(0) { $0 + $1.byteCount } && cache.byteCount <= Self.limit)
            let reclaimable = cache.runs.prefix { $0.isReclaimable }
            #expect(cache.runs.dropFirst(reclaimable.count).allSatisfy { !$0.isReclaimable })
        }
    }

    @Test func adjacentRunsServeForALargerOne() {
        var cache = PageCache()
        for pages in [0..<4, 8..<12, 4..<8] { cache.add(run(pages)) }
        #expect(cache.runs.count == 1 && cache.remove(12).map(pages) == 0..<12)
    }

    @Test func smallestSufficientRunIsDivided() {
        var cache = PageCache()
        for pages in [0..<9, 20..<25, 30..<33] { cache.add(run(pages)) }
        #expect(cache.remove(4).map(pages) == 20..<24)
        #expect(cache.runs.map(pages) == [0..<9, 24..<25, 30..<33] && cache.byteCount == 13)
        #expect(cache.remove(10) == nil)
    }

    /// Otherwise the pages of a run that was used recently would never become reclaimable.
    @Test func runIsReclaimableOnlyIfAllItsPagesAre() {
        var (cache, reclaimable) = (PageCache(), run(4..<8))
        reclaimable.isReclaimable = true
        cache.add(run(0..<4))
        cache.add(reclaimable)
        #expect(cache.hasUnreclaimable && cache.removeUnused(since: .now).map(pages) == [0..<8])
        cache.add(reclaimable)
        cache.add(run(20..<21))
        #expect(cache.removeSurplus(beyond: 1).map(pages) == [4..<8], "those are released first")
    }
}
