import DarkroomCore
import Testing
import TestSupport

struct AnimationTests {
    @Test func framesArePreserved() throws {
        let frames = try [0.333, 0.0004, 0.334].enumerated().map { Frame(try gray($0), duration: $1) }
        let image = try #require(Image(frames: frames, loopCount: 3))
        let animation = try #require(image.animation)
        #expect(animation.loopCount == 3 && animation.frameCount == 3)
        #expect(try animation.frames().map(\.duration) == [0.333, 0.0004, 0.334])
        #expect(try animation.frames().map(\.bitmap) == frames.map(\.bitmap))
        #expect(image.memoryCost == 3 * 4)
    }

    @Test func durationsThatAreAllZeroBecomeATenthOfASecond() throws {
        let animation = Animation(frames: try (0..<2).map { Frame(try gray($0), duration: 0) })
        #expect(animation.frameDurations == [0.1, 0.1])
    }

    @Test func oneFrameIsAStillAndNoFramesAreNil() throws {
        #expect(Image(frames: []) == nil)
        #expect(Image(frames: [Frame(try gray(1), duration: 1)])?.animation == nil)
    }

    @Test func decoderWithoutSeekingIsRecreatedToGoBack() throws {
        let animation = Animation(loopCount: 0, frameDurations: [1, 1, 1], byteCount: 0) { Counting() }
        var decoder = try animation.makeFrameDecoder()
        for index in [2, 0, 1, 1, 2] {
            #expect(try decoder.seek(to: index))
            #expect(try decoder.nextFrame()?.bitmap == gray(index))
        }
        #expect(try decoder.nextFrame() == nil)
        #expect(try !decoder.seek(to: 3))
    }
}

private func gray(_ value: Int) throws -> Bitmap {
    try Bitmap(PixelSize(1, 1), hasAlpha: false) { pixels in
        for index in 0..<3 { pixels[index] = UInt8(value) }
        pixels[3] = 255
    }
}

/// A frame decoder of three frames that cannot seek.
private struct Counting: FrameDecoder {
    private var next = 0

    mutating func nextFrame() throws -> Frame? {
        guard next < 3 else { return nil }
        defer { next += 1 }
        return Frame(try gray(next), duration: 1)
    }
}
