@testable import DarkroomCore
import DarkroomTestKit
import FoundationEssentials
import TestSupport
import Testing

@Suite(.bounded)
struct PreviewTests {
    private let gate = Gate()
    private let plainDecodes = Recorder<Int>()

    /// A loader that sends two of eight rows, and the rest once `gate` is open.
    private var box: Darkbox {
        let file = Darkbox.file
        return Darkbox(
            FakeLoader { [gate] _ in
                let (chunks, stream) = AsyncThrowingStream<Data, any Error>.makeStream()
                stream.yield(file.prefix(5))
                stream.yield(file.dropFirst(5).prefix(120))
                Task {
                    await gate.wait()
                    for byte in file.dropFirst(125) { stream.yield(Data([byte])) }
                    stream.finish()
                }
                return LoadResponse(.chunks(chunks), expectedByteCount: file.count)
            }
        ) { [plainDecodes] in
            $0.install(PlainCoder { _ in plainDecodes.note(1) })
        }
    }

    /// Returns the elements of the sequence; the transfer ends after the first preview.
    private func load(
        _ box: Darkbox, _ configure: (inout ImageContext) -> Void = { _ in }
    ) async throws -> (previews: [Image], result: LoadResult) {
        var previews: [Image] = []
        var result: LoadResult?
        let context = ImageContext {
            $0.deliversPreviews = true
            configure(&$0)
        }
        for try await event in box.manager.events(for: Darkbox.url, context: context) {
            switch event {
            case .preview(let image):
                // The transfer may end while later previews are on their way.
                #expect(result == nil && (!previews.isEmpty || box.images.keys.isEmpty))
                previews.append(image)
                gate.open()
            case .finished(let last): result = last
            default: break
            }
        }
        return (previews, try #require(result))
    }

    @Test func previewLacksOnlyTheMissingRows() async throws {
        let (previews, result) = try await load(box)
        let first = try #require(previews.first)
        #expect(first.metadata.isIncomplete && first.size == Darkbox.bitmap.size)
        #expect(first.bitmap.color(x: 3, y: 1) == Darkbox.bitmap.color(x: 3, y: 1))
        #expect(first.bitmap.color(x: 3, y: 2)?.alpha == 0)
        #expect(!result.image.metadata.isIncomplete)
        #expect(result.image.bitmap == Darkbox.bitmap)
    }

    @Test func previewDecoderMakesTheFinalImage() async throws {
        _ = try await load(box)
        #expect(plainDecodes.values.isEmpty)
    }

    @Test func previewsAreResizedAndTransformedLikeTheResult() async throws {
        let (previews, result) = try await load(box) {
            $0.thumbnail = .fit(6, 6)
            $0.transformers = [Darken()]
        }
        let first = try #require(previews.first)
        #expect(first.size == PixelSize(6, 4) && first.metadata.isTransformed)
        #expect(first.bitmap.color(x: 2, y: 0) == result.image.bitmap.color(x: 2, y: 0))
    }

    @Test func refreshThatHasShownTheCachedImageShowsNoPreviews() async throws {
        let (box, asked) = (box, Recorder<Int>())
        gate.open()
        _ = try await box.load { $0.waitsForStore = true }
        let context = ImageContext {
            $0.deliversPreviews = true
            $0.cacheUse = .refresh
        }
        for try await event in box.manager.events(for: Darkbox.url, context: context) {
            switch event {
            case .cached: asked.note(0)
            case .preview: asked.note(1)
            case .finished: asked.note(2)
            default: break
            }
        }
        #expect(asked.values == [0, 2] && box.loader.requests.count == 2)
    }

    @Test func previewsAreOptIn() async throws {
        gate.open()
        for try await event in box.manager.events(for: Darkbox.url) {
            if case .preview = event { Issue.record("a preview") }
        }
        #expect(plainDecodes.values.count == 1)
    }
}
