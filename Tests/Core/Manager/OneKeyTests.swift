@testable import DarkroomCore
import DarkroomTestKit
import FoundationEssentials
import TestSupport
import Testing

/// Several URLs with one key: the failure of one of them does not affect the others.
@Suite(.bounded)
struct OneKeyTests {
    private struct OneKey: CacheKeyFilter {
        func key(for url: URL, soFar text: String, context: ImageContext) -> String? { "one" }
    }

    private let gate = Gate()
    private let joined = Recorder<Int>()

    /// A manager whose origin has only `/good`; requests for other paths wait at the gate.
    private func box(failure: ImageError.Kind = .status) -> Darkbox {
        Darkbox(
            FakeLoader { [gate] request in
                guard request.url.path != "/good" else { return LoadResponse(.data(Darkbox.file)) }
                await gate.wait()
                throw ImageError(failure, .load, "the origin returned no image")
            }
        ) { $0.install(OneKey()) }
    }

    private func load(
        _ path: String, _ box: Darkbox, side: Double? = nil, isCached: Bool = false
    ) -> Task<LoadResult, any Error> {
        // At full size nothing is stored, because the result of one URL would be a hit for the others.
        let context = ImageContext {
            if let side { $0.thumbnail = .fit(side, side) } else if !isCached { $0.cachePolicy = .none }
        }
        return Task { [joined] in
            try await box.manager.load(URL(string: "http://example.com/\(path)")!, context: context) { _ in
                joined.note(1)
            }
        }
    }

    @Test func failureOfAnotherURLWithTheSameKeyIsNotShared() async throws {
        let box = box()
        let bad = load("bad", box)
        await gate.waitForArrivals()
        let good = load("good", box)
        await joined.waitForValues(2)
        gate.open()
        await #expect(throws: ImageError.self) { try await bad.value }
        #expect(try await good.value.image.bitmap == Darkbox.bitmap)
    }

    @Test func failureOfAnotherURLAtAnotherSizeIsNotShared() async throws {
        let box = box()
        let bad = load("bad", box, side: 4)
        await gate.waitForArrivals()
        let good = load("good", box, side: 6)
        await joined.waitForValues(2)
        gate.open()
        await #expect(throws: ImageError.self) { try await bad.value }
        #expect(try await good.value.image.size == PixelSize(6, 4))
    }

    @Test func failureOfAnotherURLIsNoReasonForAStaleImage() async throws {
        let box = box(failure: .network)
        var image = Image(info: ImageInfo(format: .plain, storedSize: Darkbox.bitmap.size), bitmap: Darkbox.bitmap)
        var freshness = Freshness(confirmedAt: .now)
        freshness.expires = .now - 100
        image.metadata.original = OriginalVersion(revision: "old", freshness: freshness)
        box.images.store(image, for: CacheKey(source: "one"))
        let bad = load("bad", box, isCached: true)
        await gate.waitForArrivals()
        let good = load("good", box, isCached: true)
        await joined.waitForValues(2)
        gate.open()
        #expect(try await bad.value.isStale)
        let result = try await good.value
        #expect(!result.isStale && result.origin == .network)
    }

    @Test func manyFailuresOfOtherURLsAreNotShared() async throws {
        let box = box()
        let first = load("bad1", box)
        await gate.waitForArrivals()
        let others = [load("bad2", box), load("bad3", box), load("good", box)]
        await joined.waitForValues(4)
        gate.open()
        for bad in [first, others[0], others[1]] {
            let error = await #expect(throws: ImageError.self) { try await bad.value }
            #expect(error?.kind == .status)
        }
        #expect(try await others[2].value.image.bitmap == Darkbox.bitmap)
        let paths = Set(box.loader.requests.map(\.url.path))
        #expect(paths == ["/bad1", "/bad2", "/bad3", "/good"])
    }
}
