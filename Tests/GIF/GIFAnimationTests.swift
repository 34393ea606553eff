import DarkroomCore
import DarkroomGIF
import DarkroomTestKit
import FoundationEssentials
import TestSupport
import Testing

@Suite struct GIFAnimationTests {
    private let screen = PixelRectangle(x: 0, y: 0, width: 2, height: 1)

    private func frames(_ data: Data, _ context: ImageContext = .init()) throws -> any FrameDecoder {
        let coder = GIFCoder()
        return try coder.makeFrameDecoder(DecodeRequest(data: data, info: coder.info(of: data), context: context))
    }

    @Test(arguments: 0..<24)
    func framesEqualThoseOfTheReferenceCompositor(_ seed: UInt64) throws {
        let random = RandomGIF(seed: seed, isFirstWhole: seed % 2 == 0)
        var decoder = try frames(random.data)
        let hasAlpha = try GIFCoder().info(of: random.data).hasAlpha
        for (index, picture) in random.pictures.enumerated() {
            let frame = try #require(try decoder.nextFrame())
            #expect(frame.bitmap.colors == picture, "frame \(index)")
            #expect(frame.bitmap.hasAlpha == hasAlpha)
            #expect(hasAlpha || !picture.contains { $0.alpha == 0 })
        }
        #expect(try decoder.nextFrame() == nil)
    }

    @Test(arguments: 0..<8)
    func framesAreTheSameInAnyOrder(_ seed: UInt64) throws {
        let random = RandomGIF(seed: seed)
        var decoder = try frames(random.data)
        var generator = SeededGenerator(seed: seed)
        for index in (0..<4).flatMap({ _ in random.pictures.indices.shuffled(using: &generator) }) {
            #expect(try decoder.seek(to: index))
            #expect(try decoder.nextFrame()?.bitmap.colors == random.pictures[index], "frame \(index)")
        }
    }

    @Test func imageHasFramesLoopsAndDurations() throws {
        let data = GIFBuilder().loop("NETSCAPE2.0", 3).control(delay: 5).frame().control(delay: 1).frame().data
        let animation = try #require(try CoderRegistry([GIFCoder()]).decode(data).animation)
        #expect(animation.loopCount == 3)
        #expect(animation.frameDurations == [.milliseconds(50), .milliseconds(100)])
        #expect(try animation.frames().map(\.duration) == animation.frameDurations)
    }

    @Test func firstFrameOfTheAnimationIsTheStill() throws {
        for fixture in Fixture.all(of: .gif) {
            var decoder = try frames(fixture.data)
            let still = try CoderRegistry([GIFCoder()]).decode(fixture.data).bitmap
            #expect(try decoder.nextFrame()?.bitmap == still, "\(fixture)")
        }
    }

    @Test func truncatedFileHasTheFramesSoFar() throws {
        let random = RandomGIF(seed: 3)
        for count in random.data.indices {
            guard let info = try? GIFCoder().info(of: random.data.prefix(count)) else { continue }
            var decoder = try frames(random.data.prefix(count))
            guard info.frameCount > 1 else { continue }
            // Pixels of the last one may be missing.
            for index in 0..<(info.frameCount - 1) {
                #expect(try decoder.nextFrame()?.bitmap.colors == random.pictures[index], "\(count) bytes")
            }
            #expect(try decoder.nextFrame() != nil)
            #expect(try decoder.nextFrame() == nil)
        }
    }

    @Test func brokenFrameShowsTheOneBelowIt() throws {
        let (red, blue) = (Color(red: 255, green: 0, blue: 0), Color(red: 0, green: 0, blue: 255))
        let data = GIFBuilder(palette: [red, blue]).frame(screen, indices: [0, 0])
            .frame(screen, blocks: [0xFF, 0xFF])
            .frame(PixelRectangle(x: 1, y: 0, width: 1, height: 1), indices: [1]).data
        var decoder = try frames(data)
        #expect(try decoder.nextFrame()?.bitmap.colors == [red, red])
        #expect(try decoder.nextFrame()?.bitmap.colors == [red, red])
        #expect(try decoder.nextFrame()?.bitmap.colors == [red, blue])
        #expect(try decoder.nextFrame() == nil)
        // The broken frame was expected to hide the one below.
        for _ in 0..<2 {
            #expect(try decoder.seek(to: 1))
            #expect(try decoder.nextFrame()?.bitmap.colors == [red, red])
        }
    }

    @Test func framesAreTransparentWhereTheFirstOneBelowThemIsBroken() throws {
        let data = GIFBuilder().frame(screen, blocks: [0xFF, 0xFF])
            .frame(PixelRectangle(x: 1, y: 0, width: 1, height: 1), indices: [1]).data
        #expect(try !GIFCoder().info(of: data).hasAlpha)
        var decoder = try frames(data)
        let clear = Color(red: 0, green: 0, blue: 0, alpha: 0)
        for _ in 0..<2 {
            let first = try #require(try decoder.nextFrame()).bitmap
            #expect(first.hasAlpha && first.colors == [clear, clear])
            let second = try #require(try decoder.nextFrame()).bitmap
            #expect(second.hasAlpha && second.colors == [clear, .white])
            #expect(try decoder.nextFrame() == nil)
            #expect(try decoder.seek(to: 0))
        }
    }

    @Test func framesBeyondTheLimitAreRejected() throws {
        let data = GIFBuilder().frame().frame().frame().data
        let context = ImageContext { $0.limits.frameCount = 2 }
        let error = #expect(throws: ImageError.self) { try frames(data, context) }
        #expect(error?.kind == .overLimit)
    }

    @Test func millionsOfEmptyFramesAreRejected() {
        var frames = Data([0x2C, 0, 0, 0, 0, 2, 0, 1, 0, 0, 2, 0])
        while frames.count <= 12_000_000 { frames.append(frames) }
        let data = GIFBuilder().data.dropLast() + frames
        let error = #expect(throws: ImageError.self) { try GIFCoder().info(of: data) }
        #expect(error?.kind == .overLimit)
    }

    @Test func frameFarLargerThanTheScreenIsRejected() throws {
        let large = PixelRectangle(x: 0, y: 0, width: 65_535, height: 65_535)
        var decoder = try frames(GIFBuilder().frame().frame(large, indices: [0]).data)
        _ = try decoder.nextFrame()
        let error = #expect(throws: ImageError.self) { try decoder.nextFrame() }
        #expect(error?.kind == .overLimit)
    }

    @Test func cancelledFrameStops() throws {
        let data = GIFBuilder().frame().frame().data
        let flag = CancellationFlag()
        let request = DecodeRequest(data: data, info: try GIFCoder().info(of: data), cancellation: flag)
        var decoder = try GIFCoder().makeFrameDecoder(request)
        _ = try decoder.nextFrame()
        flag.set()
        let error = #expect(throws: ImageError.self) { try decoder.nextFrame() }
        #expect(error?.kind == .cancelled)
    }
}
