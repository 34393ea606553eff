import DarkroomCore
import DarkroomTestKit
import FoundationEssentials
import Testing

/// The fake origin returns the responses of an HTTP loader.
@Suite struct FakeOriginTests {
    private let url = URL(string: "https://example.com/a.plain")!
    private let file = PlainCoder.file(of: .testCard(8, 6))

    @Test func fakeOriginMeetsTheContract() async throws {
        for origin in [FakeOrigin(.fresh(file, for: .seconds(86_400))), FakeOrigin(FakeOrigin.Response(file))] {
            try await LoaderContract(origin).checkAll(
                url, returns: file, foreign: [try #require(URL(string: "file:///a.png"))])
        }
        try await LoaderContract(FakeOrigin(.status(404))).checkFailure(of: url)
    }

    @Test func cancellationEndsAWaitingLoad() async throws {
        let (head, body) = (Gate(), Gate())
        let waiting = FakeOrigin { [file] _ in
            try await head.waitUnlessCancelled()
            return FakeOrigin.Response(file)
        }
        try await LoaderContract(waiting).checkCancellation(of: url)
        var resource = FakeOrigin.Response(file)
        resource.willSend = { _ in try await body.waitUnlessCancelled() }
        try await LoaderContract(FakeOrigin(resource)).checkCancellation(of: url)
    }

    @Test func staleEntriesAreRevalidated() async throws {
        let origin = FakeOrigin(.fresh(file, for: .seconds(0)))
        let manager = try ImageManager {
            $0.install(origin)
            $0.install(PlainCoder())
            $0.imageCache = DiscardingImageCache()
            $0.dataCache = FakeDataCache()
        }
        let first = try await manager.load(url)
        await manager.waitForStores()
        let second = try await manager.load(url)
        #expect(first.image.bitmap == second.image.bitmap)
        #expect(origin.requests.map { $0.headers["if-none-match"] } == [nil, "\"1\""])
    }

    @Test func freshEntriesAreNotRevalidated() async throws {
        let origin = FakeOrigin(.fresh(file, for: .seconds(86_400)))
        let manager = try ImageManager {
            $0.install(origin)
            $0.install(PlainCoder())
            $0.dataCache = FakeDataCache()
        }
        _ = try await manager.load(url)
        await manager.waitForStores()
        _ = try await manager.load(url)
        #expect(origin.requests.count == 1)
    }

    @Test func brokenConnectionIsResumedIfATagProvesTheSameBody() async throws {
        var broken = FakeOrigin.Response.fresh(file, for: .seconds(86_400))
        broken.chunkByteCount = 30
        broken.breaksAfter = 70
        let origin = FakeOrigin(broken, .fresh(file, for: .seconds(86_400)))
        try await LoaderContract(origin).checkBytes(of: url, equal: file)
        #expect(origin.requests[1].headers["range"] == "bytes=70-")
        #expect(origin.requests[1].headers["if-range"] == "\"1\"")
        let changed = FakeOrigin(broken, .fresh(file, for: .seconds(86_400), tag: "\"2\""))
        try await LoaderContract(changed).checkFailure(of: url)
        broken.headers["etag"] = nil
        try await LoaderContract(FakeOrigin(broken)).checkFailure(of: url)
    }

    @Test func statusesAndUnreachableOriginsThrowErrors() async throws {
        struct Refused: Error {}
        let request = LoadRequest(url: url)
        let status = await #expect(throws: ImageError.self) { try await FakeOrigin(.status(503)).load(request) }
        #expect(status?.kind == .status && status?.response?.status == 503)
        let network = await #expect(throws: ImageError.self) {
            try await FakeOrigin { _ in throw Refused() }.load(request)
        }
        #expect(network?.kind == .network)
    }
}
