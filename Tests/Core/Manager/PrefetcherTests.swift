@testable import DarkroomCore
import DarkroomTestKit
import FoundationEssentials
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct PrefetcherTests {
    private let urls = (0..<8).map { URL(string: "http://example.com/\($0).plain")! }

    @Test func everyPictureIsToldOfOnceAndThenInTheCaches() async throws {
        let box = Darkbox(
            FakeLoader { request in
                guard !request.url.absoluteString.contains("3") else { throw ImageError(.status, .load, "not found") }
                return LoadResponse(.data(Darkbox.file))
            })
        _ = try await box.manager.load(urls[5])
        var last: Prefetcher.Progress?
        var told: [URL] = []
        for await progress in Prefetcher(box.manager).prefetch(urls) {
            #expect(progress.finishedCount == told.count + 1 && progress.totalCount == 8)
            #expect((progress.error != nil) == (progress.url == urls[3]))
            told.append(progress.url)
            last = progress
        }
        #expect(Set(told) == Set(urls) && told.count == 8)
        #expect(last?.failedCount == 1 && last?.cachedCount == 1)
        #expect(box.images.keys.count == 7)
        #expect(box.loader.requests.count == 8, "what is cached is not loaded again")
        #expect(box.loader.requests.dropFirst().allSatisfy { $0.context.priority == .low })
    }

    @Test func onlySoManyAreLoadedAtATime() async throws {
        let gate = Gate()
        let box = Darkbox(
            FakeLoader { _ in
                await gate.pass()
                return LoadResponse(.data(Darkbox.file))
            })
        let prefetcher = Prefetcher(box.manager, maxConcurrentLoads: 2)
        let lists = [prefetcher.prefetch(urls), prefetcher.prefetch(urls.reversed())]
        await gate.arrivals(2)
        #expect(box.loader.requests.count == 2)
        prefetcher.maxConcurrentLoads = 3
        await gate.arrivals(3)
        #expect(box.loader.requests.count == 3)
        gate.open()
        for list in lists {
            var count = 0
            for await _ in list { count += 1 }
            #expect(count == 8)
        }
    }

    @Test func leavingTheSequenceEndsTheList() async throws {
        let gate = Gate()
        let box = Darkbox(
            FakeLoader { request in
                if request.url != urls[0] { await gate.pass() }
                return LoadResponse(.data(Darkbox.file))
            })
        let prefetcher = Prefetcher(box.manager, maxConcurrentLoads: 1)
        for await _ in prefetcher.prefetch(urls) { break }
        gate.open()
        // A list that comes later gets its turn, because the first one has left the queue.
        for await progress in prefetcher.prefetch([urls[7]]) { #expect(progress.error == nil) }
        #expect(box.loader.requests.count <= 3)
    }

    @Test func anEmptyListEndsAtOnce() async {
        for await _ in Prefetcher(Darkbox().manager).prefetch([]) { Issue.record("something was told") }
    }
}
