import DarkroomCore
import DarkroomTestKit
import FoundationEssentials
import Synchronization
import TestSupport
import Testing

/// The fakes behave as documented.
@Suite struct FakeTests {
    @Test func manualClockResumesDueSleepers() async throws {
        let clock = ManualClock()
        let woken = Recorder<Int>()
        let sleepers = [5, 2].map { seconds in
            Task {
                try await clock.sleep(for: .seconds(seconds))
                woken.note(seconds)
            }
        }
        await clock.waitForSleeps(2)
        clock.advance(by: .seconds(3))
        try await sleepers[1].value
        #expect(woken.values == [2])
        clock.advance(by: .seconds(3))
        try await sleepers[0].value
        #expect(woken.values == [2, 5])
        #expect(clock.now.offset == .seconds(6))
        try await clock.sleep(for: .seconds(-1))
    }

    @Test func cancelledSleeperThrows() async {
        let clock = ManualClock()
        let sleeper = Task { try await clock.sleep(for: .seconds(1)) }
        await clock.waitForSleeps()
        sleeper.cancel()
        await #expect(throws: CancellationError.self) { try await sleeper.value }
    }

    @Test func retriesUseTheManualClock() async throws {
        let clock = ManualClock()
        let count = Mutex(0)
        let origin = FakeOrigin { _ in
            let number = count.withLock { count in
                count += 1
                return count
            }
            return number < 3 ? .status(503) : FakeOrigin.Response(Data([1, 2, 3]))
        }
        var policy = RetryPolicy()
        policy.jitter = { $0 }
        let loader = origin.retrying(policy, on: clock)
        let load = Task { try await loader.load(LoadRequest(url: Self.url)) }
        await clock.waitForSleeps(1)
        clock.advance(by: .milliseconds(500))
        await clock.waitForSleeps(2)
        clock.advance(by: .seconds(1))
        #expect(try await load.value.metadata?.status == 200)
        #expect(origin.requests.count == 3)
    }

    @Test func cancellationEndsTheWaitAtAGate() async {
        let gate = Gate()
        let (one, other) = (Task { try await gate.waitUnlessCancelled() }, Task { await gate.wait() })
        await gate.waitForArrivals(2)
        one.cancel()
        await #expect(throws: CancellationError.self) { try await one.value }
        gate.open()
        await other.value
    }

    @Test func loaderThatRecordedARequestWithItselfIsDeallocated() async throws {
        weak var freed: FakeLoader?
        do {
            let loader = FakeLoader(Data([1]))
            freed = loader
            let context = ImageContext {
                $0.loader = loader
                $0.thumbnail = .fit(3, 3)
            }
            let url = try #require(URL(string: "http://example.com/a.png"))
            _ = try await loader.load(LoadRequest(url: url, context: context))
            #expect(loader.requests.map(\.url) == [url])
            #expect(loader.requests.first?.context.thumbnail == .fit(3, 3))
        }
        #expect(freed == nil)
    }

    @Test func emptyCacheStoresNothing() {
        let (cache, bitmap) = (DiscardingImageCache(), Bitmap.testCard(2, 2))
        cache.store(Image(info: ImageInfo(format: .plain, storedSize: bitmap.size), bitmap: bitmap), for: Self.key)
        #expect(cache.image(for: Self.key) == nil && !cache.contains(Self.key))
    }

    private static let url = URL(string: "https://example.com/a.plain")!
    private static let key = CacheKey(source: "a")
}
