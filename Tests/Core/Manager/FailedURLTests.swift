@testable import DarkroomCore
import DarkroomTestKit
import FoundationEssentials
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct FailedURLTests {
    private func box(_ configure: @escaping (inout ImageManager.Components) -> Void) -> Darkbox {
        let loader = FakeLoader { _ in throw ImageError(.status, .load, "the origin returned status 404") }
        return Darkbox(loader) {
            $0.install(OriginLoader(base: loader, remembersAll: true))
            configure(&$0)
        }
    }

    @Test(arguments: [Double.infinity, 1e300])
    func failureCanBeRememberedForever(lifetime: Double) async {
        let box = box { $0.failedURLLifetime = lifetime }
        for kind in [ImageError.Kind.status, .refused] {
            let error = await #expect(throws: ImageError.self) { try await box.load() }
            #expect(error?.kind == kind)
        }
        #expect(box.loader.requests.count == 1)
    }

    @Test func failureWithALifetimeOfZeroIsNotRemembered() async {
        let box = box { $0.failedURLLifetime = 0 }
        for _ in 0..<2 { await #expect(throws: ImageError.self) { try await box.load() } }
        #expect(box.loader.requests.count == 2)
    }

    @Test func allFailuresCanBeRemoved() async {
        let box = box { _ in }
        for _ in 0..<2 {
            await #expect(throws: ImageError.self) { try await box.load() }
            box.manager.removeAllFailed()
        }
        #expect(box.loader.requests.count == 2)
    }

    @Test(arguments: [0.0, 6]) func brokenBytesInACacheAreNoFailureOfTheURL(side: Double) async throws {
        let box = Darkbox { $0.failedURLLifetime = .infinity }
        var context = ImageContext {
            $0.cacheUse = .cacheOnly
            if side > 0 { $0.thumbnail = .fit(side, side) }
        }
        let key = CacheKey(source: Darkbox.url.absoluteString)
        try await box.data.store(DataEntry(Darkbox.file.prefix(50), metadata: .init(storedAt: .now)), for: key)
        let error = await #expect(throws: ImageError.self) {
            try await box.manager.load(Darkbox.url, context: context)
        }
        #expect(error?.kind == .incomplete)
        context.cacheUse = .standard
        #expect(try await box.manager.load(Darkbox.url, context: context).origin == .network)
    }

    @Test func failureIsRemovedByTheRequestedURL() async {
        struct Elsewhere: RequestProcessor {
            func process(url: inout URL, context: inout ImageContext) { url = url.appending(path: "there") }
        }
        let box = box { $0.install(Elsewhere()) }
        for _ in 0..<2 {
            await #expect(throws: ImageError.self) { try await box.load() }
            box.manager.removeFailed(Darkbox.url)
        }
        #expect(box.loader.requests.count == 2)
    }
}
