@testable import DarkroomCore
import DarkroomTestKit
import FoundationEssentials
import TestSupport
import Testing

@Suite(.bounded)
struct SeveralSizesTests {
    private let decoded = Recorder<PixelSize>()

    private func box() -> Darkbox {
        let decoded = decoded
        return Darkbox { $0.install(PlainCoder { decoded.note($0.target) }) }
    }

    private func sizes(_ sides: [Double]) -> [ImageContext] {
        sides.map { side in
            ImageContext {
                $0.thumbnail = .fit(side, side)
                $0.waitsForStore = true
            }
        }
    }

    @Test func allSizesShareOneTransferAndOneDecode() async throws {
        let box = box()
        let results = try await box.manager.load(Darkbox.url, contexts: sizes([3, 9, 6])).map { try $0.get() }
        #expect(results.map(\.image.size) == [PixelSize(3, 2), PixelSize(9, 6), PixelSize(6, 4)])
        #expect(results.map(\.image.metadata.thumbnail) == sizes([3, 9, 6]).map(\.thumbnail))
        #expect(box.loader.requests.count == 1)
        #expect(decoded.values == [PixelSize(9, 6)])
        #expect(box.data.keys.count == 4, "each is stored with its own key, beside the original")
        #expect(try await box.manager.load(Darkbox.url, context: sizes([3])[0]).origin == .memory)
    }

    @Test func fullSizeIsTheBaseOfAllSizes() async throws {
        let box = box()
        let contexts = sizes([4]) + [ImageContext()]
        let results = try await box.manager.load(Darkbox.url, contexts: contexts).map { try $0.get() }
        #expect(results[1].image.bitmap == Darkbox.bitmap)
        #expect(results[0].image.size == PixelSize(4, 3))
        #expect(decoded.values == [PixelSize(12, 8)])
    }

    @Test func transformedSizeIsMadeFromTheUntransformedBase() async throws {
        var contexts = sizes([6, 6])
        contexts[0].transformers = [Darken()]
        let box = box()
        let results = try await box.manager.load(Darkbox.url, contexts: contexts).map { try $0.get() }
        let (dark, light) = (results[0].image.bitmap, results[1].image.bitmap)
        #expect(dark.color(x: 5, y: 3)!.red == light.color(x: 5, y: 3)!.red / 2)
        #expect(decoded.values.count == 1)
    }

    @Test func incompatibleSizesAreDecodedSeparately() async throws {
        var contexts = sizes([6, 9])
        contexts[0].thumbnail = .stretch(5, 8)
        let box = box()
        let results = try await box.manager.load(Darkbox.url, contexts: contexts).map { try $0.get() }
        #expect(results.map(\.image.size) == [PixelSize(5, 8), PixelSize(9, 6)])
        #expect(decoded.values.count == 2 && box.loader.requests.count == 1)
    }

    @Test func cachedSizesNeedNoDecode() async throws {
        let box = box()
        _ = try await box.manager.load(Darkbox.url, context: sizes([9])[0])
        let results = try await box.manager.load(Darkbox.url, contexts: sizes([9, 6, 3])).map { try $0.get() }
        #expect(results.map(\.origin) == [.memory, .original, .original])
        #expect(decoded.values == [PixelSize(9, 6), PixelSize(6, 4)])
    }

    @Test func allSizesHaveOneVersionEvenIfNothingMayBeStored() async throws {
        let asked = Recorder<Int>()
        let box = Darkbox(
            FakeLoader { request in
                asked.note(1)
                let shade = Color(red: UInt8(asked.values.count), green: 0, blue: 0)
                return LoadResponse(
                    .data(PlainCoder.file(of: Bitmap(12, 8) { _, _ in shade })),
                    metadata: ResponseMetadata(
                        url: request.url, status: 200, headers: ["cache-control": "max-age=0"]))
            }
        ) { $0.dataCache = nil }
        let results = try await box.manager.load(Darkbox.url, contexts: sizes([9, 6, 3])).map { try $0.get() }
        #expect(asked.values.count == 1)
        #expect(Set(results.map(\.image.metadata.original?.revision)).count == 1)
        #expect(results.map { $0.image.bitmap.color(x: 0, y: 0)?.red } == [1, 1, 1])
        #expect(results.map(\.report.isTransferJoined) == [false, true, true])
    }

    @Test func eachSizeHasItsOwnError() async throws {
        struct Broken: ImageTransformer {
            let identifier = "Broken()"
            func transform(_ bitmap: Bitmap, for request: TransformRequest) throws -> Bitmap {
                throw ImageError(.internal, .transform, "no")
            }
        }
        var contexts = sizes([9, 6])
        contexts[0].transformers = [Broken()]
        let results = await box().manager.load(Darkbox.url, contexts: contexts)
        #expect(throws: ImageError.self) { try results[0].get() }
        #expect(throws: Never.self) { try results[1].get() }
    }

    @Test func noContextsHaveNoResults() async { #expect(await box().manager.load(Darkbox.url, contexts: []).isEmpty) }
}
