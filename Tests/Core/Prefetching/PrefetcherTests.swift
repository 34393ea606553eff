@testable import DarkroomCore
import DarkroomTestKit
import FoundationEssentials
import TestSupport
import Testing

@Suite(.bounded)
struct PrefetcherTests {
    private let urls = (0..<8).map { URL(string: "http://example.com/\($0).plain")! }

    @Test func everyImageIsReportedOnceAndCached() async throws {
        let box = Darkbox(
            FakeLoader { request in
                guard !request.url.absoluteString.contains("3") else { throw ImageError(.status, .load, "not found") }
                return LoadResponse(.data(Darkbox.file))
            })
        _ = try await box.manager.load(urls[5])
        var last: Prefetcher.Progress?
        var reported: [URL] = []
        for await progress in Prefetcher(box.manager).prefetch(urls) {
            #expect(progress.finishedCount == reported.count + 1 && progress.totalCount == 8)
            #expect((progress.error != nil) == (progress.url == urls[3]))
            reported.append(progress.url)
            last = progress
        }
        #expect(Set(reported) == Set(urls) && reported.count == 8)
        #expect(last?.failedCount == 1 && last?.cachedCount == 1)
        #expect(box.images.keys.count == 7)
        #expect(box.loader.requests.count == 8, "cached images are not loaded again")
        #expect(box.loader.requests.dropFirst().allSatisfy { $0.context.priority == .low })
    }

    @Test func concurrentLoadsAreLimited() async throws {
        let gate = Gate()
        let box = Darkbox(
            FakeLoader { _ in
                await gate.wait()
                return LoadResponse(.data(Darkbox.file))
            })
        let prefetcher = Prefetcher(box.manager, loadLimit: 2)
        let lists = [prefetcher.prefetch(urls), prefetcher.prefetch(urls.reversed())]
        await gate.waitForArrivals(2)
        #expect(box.loader.requests.count == 2)
        prefetcher.loadLimit = 3
        await gate.waitForArrivals(3)
        #expect(box.loader.requests.count == 3)
        gate.open()
        for list in lists {
            var count = 0
            for await _ in list { count += 1 }
            #expect(count == 8)
        }
    }

    @Test func leavingTheSequenceCancelsTheList() async throws {
        let gate = Gate()
        let box = Darkbox(
            FakeLoader { request in
                if request.url != urls[0] { await gate.wait() }
                return LoadResponse(.data(Darkbox.file))
            })
        let prefetcher = Prefetcher(box.manager, loadLimit: 1)
        for await _ in prefetcher.prefetch(urls) { break }
        gate.open()
        // A later list is admitted, because the first one has left the queue.
        for await progress in prefetcher.prefetch([urls[7]]) { #expect(progress.error == nil) }
        #expect(box.loader.requests.count <= 3)
    }

    @Test func cancelledListsEndWithoutEvents() async throws {
        let gate = Gate()
        let box = Darkbox(
            FakeLoader { request in
                if request.url != urls[0] { await gate.wait() }
                return LoadResponse(.data(Darkbox.file))
            })
        let prefetcher = Prefetcher(box.manager, loadLimit: 2)
        let lists = [prefetcher.prefetch(urls), prefetcher.prefetch(urls)]
        // The first image of a list may have been reported by now, and is not read before the end.
        await gate.waitForArrivals(1)
        prefetcher.cancelAll()
        #expect(prefetcher.counts == Prefetcher.Counts())
        gate.open()
        for list in lists {
            for await _ in list { Issue.record("an event was delivered") }
        }
    }

    @Test func countsAreTheSumsOfAllLists() async throws {
        let gate = Gate()
        let box = Darkbox(
            FakeLoader { request in
                guard request.url == urls[0] else {
                    await gate.wait()
                    return LoadResponse(.data(Darkbox.file))
                }
                throw ImageError(.status, .load, "not found")
            })
        let prefetcher = Prefetcher(box.manager, loadLimit: 1)
        var lists = [prefetcher.prefetch(urls).makeAsyncIterator()]
        #expect(await lists[0].next()?.failedCount == 1)
        lists.append(prefetcher.prefetch([urls[1], urls[2]]).makeAsyncIterator())
        #expect(prefetcher.counts == Prefetcher.Counts(finished: 1, failed: 1, cached: 0, total: 10))
        gate.open()
        while await lists[0].next() != nil {}
        while await lists[1].next() != nil {}
        #expect(prefetcher.counts == Prefetcher.Counts())
    }

    @Test func progressHasTheSumOfAllLists() async throws {
        let gate = Gate()
        let box = Darkbox(
            FakeLoader { request in
                if request.url == urls[0] { await gate.wait() }
                return LoadResponse(.data(Darkbox.file))
            })
        let prefetcher = Prefetcher(box.manager, loadLimit: 2)
        var waiting = prefetcher.prefetch([urls[0]]).makeAsyncIterator()
        await gate.waitForArrivals(1)
        var other = prefetcher.prefetch([urls[1], urls[2]]).makeAsyncIterator()
        #expect(await other.next()?.totalCounts == Prefetcher.Counts(finished: 1, failed: 0, cached: 0, total: 3))
        #expect(await other.next()?.totalCounts == Prefetcher.Counts(finished: 2, failed: 0, cached: 0, total: 3))
        #expect(await other.next() == nil)
        gate.open()
        let last = try #require(await waiting.next())
        #expect(last.counts.total == 1 && last.totalCounts == last.counts, "a list that has ended does not count")
    }

    @Test func startedListContinuesWithoutAReader() async throws {
        let box = Darkbox()
        let prefetcher = Prefetcher(box.manager)
        let list = prefetcher.start(urls)
        await list.wait()
        #expect(list.counts == Prefetcher.Counts(finished: 8, failed: 0, cached: 0, total: 8))
        #expect(prefetcher.counts == Prefetcher.Counts() && box.images.keys.count == 8)
        let other = prefetcher.start(
            AsyncStream { [urls] in
                for url in urls { $0.yield(url) }
                $0.finish()
            })
        await other.wait()
        #expect(other.counts == Prefetcher.Counts(finished: 8, failed: 0, cached: 8, total: 8))
    }

    @Test func startedListCanBeCancelled() async throws {
        let gate = Gate()
        let box = Darkbox(
            FakeLoader { _ in
                try await gate.waitUnlessCancelled()
                return LoadResponse(.data(Darkbox.file))
            })
        let prefetcher = Prefetcher(box.manager, loadLimit: 1)
        let list = prefetcher.start(urls)
        await gate.waitForArrivals(1)
        list.cancel()
        await list.wait()
        #expect(prefetcher.counts == Prefetcher.Counts() && box.loader.requests.count == 1)
    }

    /// With a thumbnail, the data cache would have its encoded result as well, unless only originals are stored.
    @Test(arguments: [false, true])
    func originalsForTheDiskAreNotDecoded(isThumbnail: Bool) async throws {
        let decodes = Recorder<Int>()
        let box = Darkbox { $0.install(PlainCoder { _ in decodes.note(1) }) }
        let context = ImageContext {
            $0.cachePolicy.store = isThumbnail ? .none : .disk
            if isThumbnail { $0.thumbnail = .fit(6, 6) }
        }
        for wasCached in [false, true] {
            for await progress in Prefetcher(box.manager).prefetch(urls, context: context) {
                #expect(progress.wasCached == wasCached && progress.error == nil)
            }
            await box.manager.waitForStores()
        }
        #expect(decodes.values.isEmpty && box.loader.requests.count == 8 && box.images.keys.isEmpty)
        for url in urls { #expect(try await box.data.contains(CacheKey(source: url.absoluteString))) }
    }

    @Test func loadsCancelledElsewhereCountAsFailed() async throws {
        let (gate, asked) = (Gate(), Recorder<URL>())
        let box = Darkbox(
            FakeLoader { request in
                asked.note(request.url)
                if request.url == urls[0] { try await gate.waitUnlessCancelled() }
                return LoadResponse(.data(Darkbox.file))
            })
        let list = Prefetcher(box.manager, loadLimit: 1).prefetch(Array(urls.prefix(3)))
        await asked.waitForValues(1)
        box.manager.cancelAll()
        var reported: [Prefetcher.Progress] = []
        for await progress in list { reported.append(progress) }
        #expect(reported.map(\.error?.kind) == [.cancelled, nil, nil])
        #expect(reported.last?.counts == Prefetcher.Counts(finished: 3, failed: 1, cached: 0, total: 3))
    }

    @Test func imagesOnDiskAreNotDecoded() async throws {
        let decodes = Recorder<Int>()
        let box = Darkbox { $0.install(PlainCoder { _ in decodes.note(1) }) }
        try await box.data.store(DataEntry(Darkbox.file), for: CacheKey(source: urls[0].absoluteString))
        for await progress in Prefetcher(box.manager).prefetch([urls[0]]) {
            #expect(progress.wasCached && progress.cachedCount == 1 && progress.error == nil)
        }
        #expect(decodes.values.isEmpty && box.loader.requests.isEmpty)
    }

    @Test func listIsReadOnlyAsFarAsThereArePlaces() async throws {
        let (gate, read) = (Gate(), Recorder<Int>())
        let box = Darkbox(
            FakeLoader { _ in
                await gate.wait()
                return LoadResponse(.data(Darkbox.file))
            })
        let source = AsyncStream<URL>(unfolding: { [urls] in
            let index = read.values.count
            read.note(index)
            return index < urls.count ? urls[index] : nil
        })
        let list = Prefetcher(box.manager, loadLimit: 2).prefetch(source)
        await gate.waitForArrivals(2)
        #expect(read.values.count <= 3)
        gate.open()
        var (indices, total): (Set<Int>, Int) = ([], 0)
        for await progress in list {
            #expect(progress.url == urls[progress.index])
            indices.insert(progress.index)
            total = progress.totalCount
        }
        #expect(indices == Set(urls.indices) && total == urls.count)
    }

    @Test func emptyListEndsImmediately() async {
        for await _ in Prefetcher(Darkbox().manager).prefetch([]) { Issue.record("an event was delivered") }
    }
}
