import Darkroom
import DarkroomTestKit
import FoundationEssentials
import TestSupport
import Testing

/// `SDWebImagePrefetcher`.
@Suite(.bounded)
struct SDWebImagePrefetcherTests {
    private let urls = (0..<4).map { URL(string: "https://example.com/\($0).plain")! }

    @Test func everyURLIsReportedOnceAndCached() async throws {
        let studio = try Studio()
        var progress: [Prefetcher.Progress] = []
        for await step in Prefetcher(studio.manager).prefetch(urls) { progress.append(step) }
        await studio.manager.waitForStores()
        #expect(progress.map(\.finishedCount) == [1, 2, 3, 4] && progress.allSatisfy { $0.totalCount == 4 })
        #expect(studio.data.keys.count == 4)
    }

    @Test func failedURLsAreFinishedAndSkipped() async throws {
        let studio = try Studio(
            FakeOrigin { $0.url.lastPathComponent == "1.plain" ? .status(404) : Studio.fresh })
        var last: Prefetcher.Counts?
        for await step in Prefetcher(studio.manager).prefetch(urls) { last = step.counts }
        #expect(last?.finished == 4 && last?.failed == 1)
    }

    @Test func listCompletesWhenTheDownloadsAreCancelledFromOutside() async throws {
        let gate = Gate()
        let loader = FakeOrigin { _ in
            try await gate.waitUnlessCancelled()
            return Studio.fresh
        }.limited()
        let studio = try Studio { $0.install(loader) }
        let list = Prefetcher(studio.manager, loadLimit: 4).prefetch(urls)
        await gate.waitForArrivals(4)
        loader.cancelAll()
        var last: Prefetcher.Counts?
        for await step in list { last = step.counts }
        #expect(last?.finished == 4 && last?.failed == 4)
    }

    @Test func emptyListEndsAtOnce() async throws {
        var count = 0
        for await _ in Prefetcher(try Studio().manager).prefetch([]) { count += 1 }
        #expect(count == 0)
    }

    @Test func threeLoadsRunAtOnceByDefault() async throws {
        let gate = Gate()
        let studio = try Studio(
            FakeOrigin { _ in
                await gate.wait()
                return Studio.fresh
            })
        let prefetcher = Prefetcher(studio.manager)
        #expect(prefetcher.loadLimit == 3)
        let list = prefetcher.prefetch(urls)
        await gate.waitForArrivals(3)
        #expect(studio.origin.requests.count == 3)
        gate.open()
        for await _ in list {}
    }

    @Test func cancelledPrefetchIsSilent() async throws {
        let gate = Gate()
        let studio = try Studio(
            FakeOrigin { _ in
                try await gate.waitUnlessCancelled()
                return Studio.fresh
            })
        let prefetcher = Prefetcher(studio.manager)
        let list = prefetcher.prefetch(urls)
        await gate.waitForArrivals(3)
        prefetcher.cancelAll()
        var count = 0
        for await _ in list { count += 1 }
        #expect(count == 0)
    }
}
