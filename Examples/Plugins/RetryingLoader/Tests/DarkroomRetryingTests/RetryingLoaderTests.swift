import DarkroomCore
import DarkroomRetrying
import DarkroomTestKit
import Foundation
import Synchronization
import Testing

struct RetryingLoaderTests {
    private let url = URL(filePath: "/a")
    private let clock = ManualClock()

    @Test func itWaitsLongerEachTimeAndLoadsInTheEnd() async throws {
        let base = FakeLoader(failing: 2, with: ImageError(.timedOut, .load, "too slow"))
        let milestones = Counter()
        var request = LoadRequest(url: url)
        request.report = { _ in milestones.count() }
        let loader = RetryingLoader(base, pauses: [.seconds(1), .seconds(3)], on: clock)
        let task = Task { [request] in try await loader.load(request) }
        await clock.waitForSleeps(1)
        clock.advance(by: .seconds(1))
        await clock.waitForSleeps(2)
        #expect(base.requests.count == 2)
        clock.advance(by: .seconds(3))
        guard case .data(let data) = try await task.value.body else { return #expect(Bool(false), "no data came") }
        #expect(data == Data("bytes".utf8))
        #expect(base.requests.count == 3)
        #expect(clock.deadlines.map(\.offset) == [.seconds(1), .seconds(4)])
        #expect(milestones.total == 2)
    }

    @Test func theLastFailureIsThrown() async {
        let base = FakeLoader(failing: 9, with: ImageError(.network, .load, "no way"))
        let loader = RetryingLoader(base, pauses: [.zero, .zero], on: clock)
        let error = await #expect(throws: ImageError.self) { try await loader.load(LoadRequest(url: url)) }
        #expect(error?.kind == .network)
        #expect(base.requests.count == 3)
    }

    @Test(arguments: [ImageError.Kind.corrupt, .invalidURL, .refused, .cancelled, .unsupported])
    func whatWillNotMendIsNotTriedAgain(kind: ImageError.Kind) async {
        let base = FakeLoader(failing: 9, with: ImageError(kind, .load, "no"))
        let loader = RetryingLoader(base, on: clock)
        await #expect(throws: ImageError.self) { try await loader.load(LoadRequest(url: url)) }
        #expect(base.requests.count == 1)
        #expect(clock.deadlines.isEmpty)
    }

    @Test(arguments: [(503, 2), (404, 1)])
    func aStatusDecides(status: Int, count: Int) async {
        let response = ResponseMetadata(url: url, status: status)
        let base = FakeLoader(failing: 9, with: ImageError(.status, .load, "no", response: response))
        let loader = RetryingLoader(base, pauses: [.zero], on: clock)
        await #expect(throws: ImageError.self) { try await loader.load(LoadRequest(url: url)) }
        #expect(base.requests.count == count)
    }

    @Test func aCallerWhoLeavesEndsThePause() async {
        let base = FakeLoader(failing: 9, with: ImageError(.timedOut, .load, "too slow"))
        let loader = RetryingLoader(base, pauses: [.seconds(60)], on: clock)
        let task = Task { try await loader.load(LoadRequest(url: url)) }
        await clock.waitForSleeps(1)
        task.cancel()
        await #expect(throws: (any Error).self) { try await task.value }
        #expect(base.requests.count == 1)
    }

    @Test func itIsTheLoaderThatItWraps() async throws {
        let bytes = Data("bytes".utf8)
        let base = FakeLoader(version: "7") { request in
            let bound = request.context.limits.encodedByteCount
            guard bytes.count <= bound else {
                throw ImageError.overLimit("encodedByteCount", value: bytes.count, bound: bound, stage: .load)
            }
            return LoadResponse(.data(bytes))
        }
        let loader = base.tryingAgain()
        #expect(loader.localVersion(of: url) == "7")
        try await LoaderContract(loader).checkAll(url, brings: bytes)
    }
}

/// A counter that any thread may increment.
private final class Counter: Sendable {
    private let counted = Mutex(0)

    var total: Int { counted.withLock { $0 } }

    func count() { counted.withLock { $0 += 1 } }
}

extension FakeLoader {
    /// A loader that fails so many times with `error`, and then brings `bytes`.
    fileprivate convenience init(failing count: Int, with error: ImageError) {
        let attempts = Counter()
        self.init { _ in
            attempts.count()
            if attempts.total <= count { throw error }
            return LoadResponse(.data(Data("bytes".utf8)))
        }
    }
}
