import DarkroomCore
import Testing
import TestSupport

struct AnimationTests {
    @Test func framesArePreserved() throws {
        let frames = try [3330, 4, 3340].enumerated().map { Frame(try gray($0), duration: .microseconds(100 * $1)) }
        let image = try #require(Image(frames: frames, loopCount: 3))
        let animation = try #require(image.animation)
        #expect(animation.loopCount == 3 && animation.frameCount == 3)
        #expect(try animation.frames().map(\.duration) == [3330, 4, 3340].map { .microseconds(100 * $0) })
        #expect(try animation.frames().map(\.bitmap) == frames.map(\.bitmap))
        #expect(image.memoryCost == 3 * 4)
    }

    @Test func durationsThatAreAllZeroBecomeATenthOfASecond() throws {
        let animation = Animation(frames: try (0..<2).map { Frame(try gray($0), duration: .zero) })
        #expect(animation.frameDurations == [.milliseconds(100), .milliseconds(100)])
    }

    @Test func oneFrameIsAStillAndNoFramesAreNil() throws {
        #expect(Image(frames: []) == nil)
        #expect(Image(frames: [Frame(try gray(1), duration: .seconds(1))])?.animation == nil)
    }

    @Test func decoderWithoutSeekingIsRecreatedToGoBack() throws {
        let animation = Animation(loopCount: 0, frameDurations: [.seconds(1), .seconds(1), .seconds(1)], byteCount: 0) {
            Counting()
        }
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
        return Frame(try gray(next), duration: .seconds(1))
    }
}
