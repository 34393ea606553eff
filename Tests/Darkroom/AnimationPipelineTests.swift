import Darkroom
import DarkroomTestKit
import FoundationEssentials
import TestSupport
import Testing

/// Animations in a complete pipeline with real coders.
@Suite(.bounded)
struct AnimationPipelineTests {
    private let url = URL(string: "http://example.com/animation")!

    /// Encodes an animation of four frames that differ in one region.
    private static func file(_ format: ImageFormat) throws -> Data {
        let frames = (0..<4).map { number in
            let bitmap = Bitmap(20, 12, hasAlpha: true) { x, y in
                let isMoving = abs(x - number * 4) < 3 && abs(y - 5) < 3
                return isMoving ? Color(red: 255, green: 200, blue: 0) : Color(red: 0, green: 0, blue: 102)
            }
            return Frame(bitmap, duration: .milliseconds(50 * (number + 1)))
        }
        let image = try #require(Image(frames: frames, loopCount: 3))
        let context = ImageContext { $0.writesLosslessWebP = true }
        return try CoderRegistry([GIFCoder(), WebPCoder(), PNGCoder()]).encode(image, as: format, context: context)
    }

    private func manager(_ loader: FakeLoader, _ cache: FakeDataCache = FakeDataCache()) -> ImageManager {
        try! ImageManager {
            $0.install(StandardPlugins())
            $0.install(loader)
            $0.dataCache = cache
        }
    }

    @Test(arguments: [ImageFormat.gif, .webp, .png])
    func everyFrameIsResizedTransformedAndStored(format: ImageFormat) async throws {
        let file = try Self.file(format)
        let (loader, cache) = (FakeLoader(file), FakeDataCache())
        let context = ImageContext {
            $0.thumbnail = .fit(10, 10)
            $0.transformers = [.flip(horizontal: true)]
            $0.waitsForStore = true
        }
        let first = try await manager(loader, cache).load(url, context: context)
        let animation = try #require(first.image.animation)
        #expect(animation.loopCount == 3 && animation.frameDurations == (1...4).map { .milliseconds(50 * $0) })
        let expected = try CoderRegistry([GIFCoder(), WebPCoder(), PNGCoder()])
            .decode(file, context: ImageContext { $0.thumbnail = .fit(10, 10) }).animation?.frames()
            .map { try Flipping(horizontal: true, vertical: false).transform($0.bitmap, for: TransformRequest()) }
        #expect(try animation.frames().map(\.bitmap) == expected)

        let second = try await manager(loader, cache).load(url, context: context)
        #expect(second.origin == .disk && loader.requests.count == 1)
        #expect(try second.image.animation?.frames().map(\.bitmap) == expected)
        #expect(second.image.animation?.frameDurations == animation.frameDurations)
        #expect(second.image.animation?.loopCount == 3)
    }

    @Test func untransformedAnimationIsNotStoredAsTransformed() async throws {
        let (loader, cache) = (FakeLoader(try Self.file(.gif)), FakeDataCache())
        let context = ImageContext {
            $0.transformers = [.flip(horizontal: true)]
            $0.transformsAnimations = false
            $0.waitsForStore = true
        }
        let image = try await manager(loader, cache).load(url, context: context).image
        #expect(image.animation?.frameCount == 4 && !image.metadata.isTransformed)
        #expect(cache.keys.allSatisfy { $0.variant.isEmpty })
    }

    /// It is the result of the same request without transformers, and shares its place in memory.
    @Test func untransformedAnimationIsAMemoryHitNextTime() async throws {
        let file = try Self.file(.gif)
        let loader = FakeLoader(file)
        let manager = try ImageManager {
            $0.install(StandardPlugins())
            $0.install(loader)
            $0.imageCache = MemoryImageCache()
            $0.dataCache = FakeDataCache()
        }
        var context = ImageContext {
            $0.transformers = [.flip(horizontal: true)]
            $0.transformsAnimations = false
        }
        #expect(try await manager.load(url, context: context).encodedData == file)
        for _ in 0..<2 {
            let hit = try await manager.load(url, context: context)
            #expect(hit.origin == .memory && !hit.image.metadata.isTransformed && loader.requests.count == 1)
            #expect(await manager.explain(url, context: context).origin == .memory)
            #expect(await manager.isCached(url, context: context))
            #expect(try await manager.load(url).origin == .memory)
            var transforming = context
            transforming.transformsAnimations = true
            let transformed = try await manager.load(url, context: transforming)
            #expect(transformed.image.metadata.isTransformed && transformed.image.animation != nil)
        }
        context.thumbnail = .fit(10, 10)
        #expect(try await manager.load(url, context: context).encodedData == nil)
        #expect(try await manager.load(url, context: context).origin == .memory)
    }

    @Test func firstFrameOnlyIsAStill() async throws {
        let context = ImageContext { $0.usesFirstFrameOnly = true }
        let image = try await manager(FakeLoader(try Self.file(.webp))).load(url, context: context).image
        #expect(image.animation == nil && image.size == PixelSize(20, 12))
        #expect(image.info.frameCount == 1 && image.info.loopCount == 0 && image.info.frameDurations.isEmpty)
    }

    @Test(arguments: [ImageFormat.gif, .webp, .png])
    func framesPlayBeforeAllHaveArrived(format: ImageFormat) async throws {
        let file = try Self.file(format)
        let gate = Gate()
        let loader = FakeLoader { _ in
            let (chunks, stream) = AsyncThrowingStream<Data, any Error>.makeStream()
            stream.yield(file.prefix(file.count * 3 / 4))
            Task {
                await gate.wait()
                stream.yield(file.dropFirst(file.count * 3 / 4))
                stream.finish()
            }
            return LoadResponse(.chunks(chunks), expectedByteCount: file.count)
        }
        let surface = AnimationSurface()
        var shownFrameCounts: [Int] = []
        for try await event in manager(loader).events(for: url, context: ImageContext { $0.deliversPreviews = true }) {
            switch event {
            case .preview(let image):
                surface.image = image
                shownFrameCounts.append(image.animation?.frameCount ?? 1)
                gate.open()
            case .finished(let result):
                surface.image = result.image
                #expect(result.image.animation?.frameCount == 4)
            default: break
            }
        }
        #expect(shownFrameCounts.contains { (2..<4).contains($0) }, "\(shownFrameCounts)")
        #expect(surface.player?.totalFrameCount == 4)
    }
}
