@testable import DarkroomCore
import DarkroomTestKit
import FoundationEssentials
import TestSupport
import Testing

/// Stills whose first transformer needs less than their full size.
@Suite(.bounded)
struct SufficientThumbnailTests {
    private static let size = PixelSize(401, 300)
    private static let file = PlainCoder.file(of: .testCard(size.width, size.height))

    private let targets = Recorder<PixelSize>()
    private let given = Recorder<PixelSize>()
    private let sources = Recorder<PixelSize?>()

    private func box(_ file: Data = Self.file) -> Darkbox {
        Darkbox(FakeLoader(file)) { [targets] in $0.install(PlainCoder { targets.note($0.target) }) }
    }

    private func shrink(_ thumbnail: Thumbnail) -> Shrink {
        Shrink(thumbnail: thumbnail, given: given, sources: sources)
    }

    private func context(_ transformers: any ImageTransformer...) -> ImageContext {
        ImageContext {
            $0.transformers = transformers
            $0.waitsForStore = true
        }
    }

    @Test func firstTransformerGetsTwiceThePixelsThatItNeeds() async throws {
        let box = box()
        let result = try await box.manager.load(Darkbox.url, context: context(shrink(.cover(40, 40)), Darken()))
        #expect(targets.values == [PixelSize(107, 80)] && given.values == targets.values)
        #expect(sources.values == [Self.size])
        #expect(result.image.size == PixelSize(40, 40) && result.image.info.size == Self.size)
        #expect(result.image.metadata.thumbnail == nil && result.image.metadata.sourceSize == nil)
        #expect(result.key?.variant == ["Shrink(cover)", "Darken()"])
        #expect(
            try await box.manager.load(Darkbox.url, context: context(shrink(.cover(40, 40)), Darken())).origin
                == .memory)
    }

    @Test(arguments: [Thumbnail.cover(200, 30), .fit(290, 290), .stretch(10, 200), .fit(0, 10)])
    func largeResultNeedsAllPixels(thumbnail: Thumbnail) async throws {
        _ = try await box().manager.load(Darkbox.url, context: context(shrink(thumbnail)))
        #expect(targets.values == [Self.size] && sources.values == [nil])
    }

    @Test func smallImageIsDecodedAtFullSize() async throws {
        let file = PlainCoder.file(of: .testCard(256, 255))
        _ = try await box(file).manager.load(Darkbox.url, context: context(shrink(.fit(10, 10))))
        #expect(targets.values == [PixelSize(256, 255)])
    }

    @Test func laterTransformerDoesNotDetermineTheSize() async throws {
        _ = try await box().manager.load(Darkbox.url, context: context(Darken(), shrink(.fit(10, 10))))
        #expect(targets.values == [Self.size] && sources.values == [nil])
    }

    /// All other uses of the decoded image need its pixels, or determine the size themselves.
    @Test(
        arguments: [
            { $0.cachePolicy.originalStore = .all }, { $0.scaleDownByteCount = 200_000 },
            { $0.thumbnail = .fit(300, 300) },
        ] as [@Sendable (inout ImageContext) -> Void])
    func otherOptionsComeFirst(change: @Sendable (inout ImageContext) -> Void) async throws {
        var context = context(shrink(.fit(10, 10)))
        change(&context)
        let box = box()
        _ = try await box.manager.load(Darkbox.url, context: context)
        #expect(targets.values != [PixelSize(20, 15)] && sources.values == [nil])
    }

    @Test func previewsAreReducedToo() async throws {
        let gate = Gate()
        let loader = FakeLoader { _ in
            let (chunks, stream) = AsyncThrowingStream<Data, any Error>.makeStream()
            stream.yield(Self.file.prefix(200_000))
            Task {
                await gate.wait()
                stream.yield(Self.file.dropFirst(200_000))
                stream.finish()
            }
            return LoadResponse(.chunks(chunks), expectedByteCount: Self.file.count)
        }
        let box = Darkbox(loader) { [targets] in $0.install(PlainCoder { targets.note($0.target) }) }
        var context = context(shrink(.fit(40, 40)))
        context.deliversPreviews = true
        var sizes: [PixelSize] = []
        for try await event in box.manager.events(for: Darkbox.url, context: context) {
            if case .preview(let image) = event {
                sizes.append(image.size)
                gate.open()
            }
            if case .finished(let result) = event { sizes.append(result.image.size) }
        }
        #expect(sizes.count >= 2 && Set(sizes) == [PixelSize(40, 30)])
        #expect(Set(sources.values) == [Self.size] && targets.values.isEmpty)
    }

    @Test func severalSizesShareTheLargestDecode() async throws {
        let box = box()
        let contexts = [
            context(shrink(.fit(30, 30))), context(shrink(.cover(60, 50))), context(shrink(.stretch(20, 50))),
            ImageContext { $0.thumbnail = .fit(60, 40) },
        ]
        let results = try await box.manager.load(Darkbox.url, contexts: contexts).map { try $0.get().image }
        #expect(targets.values == [PixelSize(134, 100)])
        #expect(results.map(\.size) == [PixelSize(30, 23), PixelSize(60, 50), PixelSize(20, 50), PixelSize(54, 40)])
        #expect(results.map(\.metadata.thumbnail) == [nil, nil, nil, .fit(60, 40)])
        #expect(sources.values == Array(repeating: Self.size, count: 3))
    }

    @Test func thumbnailWithEnoughPixelsIsTheBase() async throws {
        let contexts = [context(shrink(.fit(30, 30))), ImageContext { $0.thumbnail = .fit(100, 100) }]
        let results = try await box().manager.load(Darkbox.url, contexts: contexts).map { try $0.get().image }
        #expect(targets.values == [PixelSize(100, 75)])
        #expect(results.map(\.size) == [PixelSize(30, 23), PixelSize(100, 75)] && sources.values == [Self.size])
    }

    @Test func sizesThatLackPixelsAreDecodedSeparately() async throws {
        let contexts = [
            context(shrink(.fit(60, 60))), context(shrink(.cover(20, 60))),
            ImageContext { $0.thumbnail = .fit(90, 90) },
        ]
        let results = try await box().manager.load(Darkbox.url, contexts: contexts).map { try $0.get().image }
        #expect(results.map(\.size) == [PixelSize(60, 45), PixelSize(20, 60), PixelSize(90, 68)])
        #expect(targets.values.count == 3)
    }

    @Test func fullSizeIsTheBaseOfAll() async throws {
        let contexts = [context(shrink(.fit(60, 60))), ImageContext()]
        _ = try await box().manager.load(Darkbox.url, contexts: contexts).map { try $0.get() }
        #expect(targets.values == [Self.size] && sources.values == [nil])
    }
}

/// Resizes as its thumbnail does.
private struct Shrink: ImageTransformer {
    let thumbnail: Thumbnail
    let given: Recorder<PixelSize>
    let sources: Recorder<PixelSize?>

    var identifier: String { "Shrink(\(thumbnail.mode))" }
    var sufficientThumbnail: Thumbnail? { thumbnail }

    func transform(_ bitmap: Bitmap, for request: TransformRequest) throws -> Bitmap {
        given.note(bitmap.size)
        sources.note(request.sourceSize)
        let source = request.sourceSize ?? bitmap.size
        return try bitmap.resized(to: thumbnail.scaledSize(for: source))
            .cropped(to: thumbnail.size(for: source), around: thumbnail.focus)
    }
}
