@testable import DarkroomCore
import DarkroomTestKit
import FoundationEssentials
import TestSupport
import Testing

/// A coder that decodes plain files as animations of three frames, and records each decoded frame.
struct ReelCoder: AnimatedImageCoder, ProgressiveImageCoder {
    let decoded: Recorder<Int>
    private let base = PlainCoder()

    init(decoded: Recorder<Int>) { self.decoded = decoded }

    var formats: [ImageFormat] { base.formats }

    func info(of request: InfoRequest) throws -> ImageInfo {
        var info = try base.info(of: request)
        info.frameCount = 3
        info.frameDurations = [.seconds(1), .seconds(1), .seconds(1)]
        return info
    }

    func decode(_ request: DecodeRequest) throws -> Bitmap { try base.decode(request) }

    func makePreviewDecoder(_ request: DecodeRequest) throws -> any PreviewDecoder {
        try base.makePreviewDecoder(request)
    }

    func makeFrameDecoder(_ request: DecodeRequest) throws -> any FrameDecoder {
        Reel(bitmap: try base.decode(request), decoded: decoded)
    }
}

private struct Reel: FrameDecoder {
    let bitmap: Bitmap
    let decoded: Recorder<Int>
    var next = 0

    mutating func nextFrame() -> Frame? {
        guard next < 3 else { return nil }
        decoded.note(next)
        next += 1
        return Frame(bitmap, duration: .seconds(1))
    }
}

@Suite(.bounded)
struct PreloadedFramesTests {
    private let decoded = Recorder<Int>()
    private let context = ImageContext { $0.preloadsFrames = true }
    private let small = ImageContext { ($0.preloadsFrames, $0.thumbnail) = (true, .fit(6, 6)) }

    private func box(_ loader: FakeLoader = FakeLoader(Darkbox.file)) -> Darkbox {
        Darkbox(loader) { [decoded] in $0.install(ReelCoder(decoded: decoded)) }
    }

    /// Checks that playing `image` decodes nothing.
    private func expectFrames(of image: Image, location: SourceLocation = #_sourceLocation) throws {
        let count = decoded.values.count
        let frames = try #require(image.animation, sourceLocation: location).frames()
        #expect(frames.map(\.bitmap.size) == [image.size, image.size, image.size], sourceLocation: location)
        #expect(count >= 3 && decoded.values.count == count, sourceLocation: location)
    }

    @Test func framesArePreloadedBeforeDelivery() async throws {
        let box = box()
        try expectFrames(of: try await box.manager.load(Darkbox.url, context: context).image)
        try expectFrames(of: try await box.manager.load(Darkbox.url, context: small).image)
    }

    @Test func byDefaultFramesAreDecodedOnDemand() async throws {
        let image = try await box().manager.load(Darkbox.url).image
        #expect(decoded.values.isEmpty)
        #expect(try image.animation?.frames().count == 3 && decoded.values == [0, 1, 2])
    }

    @Test func framesOfAStoredResultArePreloaded() async throws {
        let box = box()
        let key = try #require(box.manager.key(for: Darkbox.url, context: small))
        try await box.data.store(
            DataEntry(PlainCoder.file(of: try Darkbox.bitmap.resized(to: PixelSize(6, 4)))), for: key)
        let result = try await box.manager.load(Darkbox.url, context: small)
        #expect(result.origin == .disk && result.image.size == PixelSize(6, 4))
        try expectFrames(of: result.image)
    }

    @Test func framesArePreloadedAfterPreviews() async throws {
        let shown = Gate()
        let box = box(
            FakeLoader { _ in
                let (chunks, stream) = AsyncThrowingStream<Data, any Error>.makeStream()
                Task {
                    stream.yield(Darkbox.file.prefix(200))
                    await shown.wait()
                    stream.yield(Darkbox.file.dropFirst(200))
                    stream.finish()
                }
                return LoadResponse(.chunks(chunks), expectedByteCount: Darkbox.file.count)
            })
        var context = context
        context.deliversPreviews = true
        let result = try await box.manager.load(Darkbox.url, context: context) {
            if case .preview = $0 { shown.open() }
        }
        try expectFrames(of: result.image)
    }

    @Test func framesOfEachSizeArePreloaded() async throws {
        let results = await box().manager.load(Darkbox.url, contexts: [context, small])
        for result in results { try expectFrames(of: try result.get().image) }
    }

    @Test func framesOfADecodedResponseArePreloaded() async throws {
        let box = box(
            FakeLoader { [decoded] _ in
                let animation = Animation(
                    loopCount: 0, frameDurations: [.seconds(1), .seconds(1), .seconds(1)], byteCount: 0
                ) {
                    Reel(bitmap: Darkbox.bitmap, decoded: decoded)
                }
                var info = ImageInfo(format: .plain, storedSize: Darkbox.bitmap.size)
                info.frameCount = 3
                return LoadResponse(.image(Image(info: info, bitmap: Darkbox.bitmap, animation: animation)))
            })
        try expectFrames(of: try await box.manager.load(Darkbox.url, context: context).image)
        try expectFrames(of: try await box.manager.load(Darkbox.url, context: small).image)
    }
}
