import DarkroomCore
import DarkroomWebP
import FoundationEssentials
import TestSupport
import Testing

@Suite struct WebPAnimationTests {
    private let registry = CoderRegistry([WebPCoder()])
    private let full = PixelSize(35, 21)

    private func animation(_ data: Data) throws -> Animation { try #require(try registry.decode(data).animation) }

    private func decoder(of data: Data, _ context: ImageContext = .init()) throws -> any FrameDecoder {
        let coder = WebPCoder()
        return try coder.makeFrameDecoder(DecodeRequest(data: data, info: coder.info(of: data), context: context))
    }

    @Test(arguments: 0..<60)
    func framesEqualThoseOfTheReferenceCompositor(seed: UInt64) throws {
        let random = RandomWebP(seed: seed)
        let animation = try animation(random.file())
        let frames = random.frames()
        #expect(animation.loopCount == 3)
        #expect(animation.frameDurations == frames.indices.map { .milliseconds(20 + $0) })
        for (frame, expected) in zip(try animation.frames(), frames) {
            // Rounding may differ where colours are blended.
            #expect(zip(frame.bitmap.bytes, expected).allSatisfy { abs(Int($0) - Int($1)) <= 1 })
        }
    }

    @Test(arguments: 0..<20)
    func randomAccessGivesTheSameFrames(seed: UInt64) throws {
        let animation = try animation(RandomWebP(seed: seed).file())
        let frames = try animation.frames()
        var decoder = try animation.makeFrameDecoder()
        for index in frames.indices.reversed() {
            #expect(try decoder.seek(to: index))
            #expect(try decoder.nextFrame()?.bitmap == frames[index].bitmap)
        }
    }

    @Test(arguments: 0..<20)
    func stillIsTheFirstFrame(seed: UInt64) throws {
        let image = try registry.decode(RandomWebP(seed: seed).file())
        #expect(try image.animation?.makeFrameDecoder().first()?.bitmap == image.bitmap)
    }

    @Test func thumbnailsAreComposedAtFullSize() throws {
        let data = Fixture("webp-animated.webp").data
        let whole = try animation(data).frames()
        let image = try registry.decode(data, context: ImageContext { $0.thumbnail = .fit(7, 7) })
        let small = try #require(try image.animation?.frames())
        #expect(small.count == whole.count)
        for (frame, original) in zip(small, whole) {
            #expect(try frame.bitmap == original.bitmap.resized(to: image.size))
        }
    }

    @Test func truncatedFileHasTheCompleteFrames() throws {
        let data = Fixture("webp-animated.webp").data
        let frames = try animation(data).frames()
        let cut = try animation(data.dropLast()).frames()
        #expect(cut.count == 2)
        #expect(zip(cut, frames).allSatisfy { $0.bitmap == $1.bitmap && $0.duration == $1.duration })
    }

    /// Frames that declare another size, exceed the canvas, or have no pixels.
    @Test(arguments: 1..<3, [0, 6, 16])
    func invalidFrameEndsTheAnimation(_ broken: Int, _ place: Int) throws {
        var builder = WebPBuilder(35, 21, flags: 2)
        builder.addLoop(0)
        for _ in 0..<3 { builder.addFrame("webp-lossless.webp", full) }
        var data = builder.data
        let frames = data.ranges(of: Data("ANMF".utf8))
        data[frames[broken].upperBound + 4 + place] ^= 0x21
        let image = try registry.decode(data)
        #expect(image.info.frameCount == broken && image.metadata.isIncomplete)
        #expect(image.metadata.notes == ["the WebP is damaged after \(broken) complete frame\(broken == 1 ? "" : "s")"])
        let whole = try registry.decode(builder.data)
        #expect(whole.info.frameCount == 3 && image.bitmap == whole.bitmap)
        for step in [1, 100, data.count] {
            let request = DecodeRequest(data: data, info: image.info)
            var decoder = try WebPCoder().makePreviewDecoder(request)
            for start in stride(from: 0, to: data.count, by: step) {
                _ = try decoder.append(Data(data.dropFirst(start).prefix(step)))
            }
            #expect(try decoder.finish() == whole.bitmap && decoder.frameDurations.count == (broken > 1 ? broken : 0))
        }
    }

    @Test func brokenFrameDoesNotAffectTheOthers() throws {
        let good = [UInt8](Fixture("webp-lossless.webp").data.dropFirst(12))
        // Half of the pixels, in a chunk with the corresponding length.
        let count = good.count / 4 * 2
        let broken = Array("VP8L".utf8) + [UInt8(count & 255), UInt8(count >> 8), 0, 0] + good[8..<(8 + count)]
        var builder = WebPBuilder(35, 21, flags: 2)
        builder.addLoop(0)
        builder.addFrame(pixels: good, PixelRectangle(full))
        builder.addFrame(pixels: broken, PixelRectangle(full))
        builder.addFrame("webp-lossless-17x9.webp", PixelSize(17, 9), left: 2, top: 4)
        var decoder = try decoder(of: builder.data)
        let first = try #require(try decoder.nextFrame())
        let second = try #require(try decoder.nextFrame())
        #expect(second.damage == "frame 2 is not shown: the WebP has corrupt pixels")
        #expect(second.bitmap == first.bitmap && first.damage == nil)
        let last = try #require(try decoder.nextFrame())
        #expect(last.bitmap.color(x: 0, y: 0) == first.bitmap.color(x: 0, y: 0))
        let patch = try registry.decode(Fixture("webp-lossless-17x9.webp").data).bitmap
        #expect(last.bitmap.color(x: 2, y: 4) == patch.color(x: 0, y: 0))
        #expect(try decoder.nextFrame() == nil)
    }

    @Test func memoryOfFramesCountsTowardsTheLimit() throws {
        var builder = WebPBuilder(35, 21, flags: 2)
        builder.addLoop(0)
        builder.addFrame("webp-lossy.webp", full)
        builder.addFrame("webp-lossless-17x9.webp", PixelSize(17, 9))
        var context = ImageContext()
        // The canvas, the copy drawn on it, the patch, and libwebp's copy of the lossless pixels.
        context.limits.decodedByteCount = 35 * 21 * 4 * 3 + 17 * 9 * 4
        _ = try decoder(of: builder.data, context)
        context.limits.decodedByteCount -= 1
        let error = #expect(throws: ImageError.self) { try decoder(of: builder.data, context) }
        #expect(error?.kind == .overLimit)
    }

    @Test func stillPlaysAsOneFrame() throws {
        let data = Fixture("webp-lossy-alpha.webp").data
        var decoder = try decoder(of: data)
        #expect(try decoder.nextFrame()?.bitmap == registry.decode(data).bitmap)
        #expect(try decoder.nextFrame() == nil)
    }

    @Test func cancelledFramesStop() throws {
        let data = Fixture("webp-animated.webp").data
        let (coder, flag) = (WebPCoder(), CancellationFlag())
        let request = DecodeRequest(data: data, info: try coder.info(of: data), cancellation: flag)
        var decoder = try coder.makeFrameDecoder(request)
        _ = try decoder.nextFrame()
        flag.set()
        let error = #expect(throws: ImageError.self) { try decoder.nextFrame() }
        #expect(error?.kind == .cancelled)
    }

    @Test func slowDecodeThrowsWhenOutOfTime() throws {
        let data = Fixture("webp-lossy.webp").data
        let coder = WebPCoder()
        let context = ImageContext { $0.limits.workTime = .seconds(-1) }
        let request = DecodeRequest(data: data, info: try coder.info(of: data), context: context)
        let error = #expect(throws: ImageError.self) { try coder.decode(request) }
        #expect(error?.kind == .overLimit)
    }
}

extension FrameDecoder {
    fileprivate func first() throws -> Frame? {
        var decoder = self
        return try decoder.nextFrame()
    }
}
