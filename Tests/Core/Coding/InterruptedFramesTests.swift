@testable import DarkroomCore
import DarkroomTestKit
import Testing
import TestSupport

/// Animations with a frame that cannot be decoded at the moment, because time or memory has run out.
struct InterruptedFramesTests {
    private static let size = PixelSize(4, 1)

    /// Creates a decoder of four frames, of which the second cannot be decoded `failureCount` times.
    ///
    /// Each of the first three draws one more pixel. The last one was expected to hide them, but shows them, because all
    /// of its pixels are damaged.
    private static func compositor(failureCount: Int) throws -> FrameCompositor {
        let patches = (0..<4).map { index in
            FramePatch(
                area: index < 3 ? PixelRectangle(x: index, y: 0, width: 1, height: 1) : PixelRectangle(size),
                blending: .replace, disposal: .keep, hasAlpha: false, duration: .milliseconds(100))
        }
        var failureCount = failureCount
        return try FrameCompositor(canvas: size, hasAlpha: true, patches: patches, limits: .default) { index in
            if index == 1, failureCount > 0 {
                failureCount -= 1
                throw ImageError(.overLimit, .decode, "no time is left")
            }
            guard index < 3 else { throw ImageError(.corrupt, .decode, "broken") }
            return Bitmap(1, 1) { _, _ in .white }
        }
    }

    /// Returns the frames as they are played without interruption.
    private static func played() throws -> [Bitmap] {
        var decoder = try compositor(failureCount: 0)
        let frames = try (0..<4).compactMap { _ in try decoder.nextFrame() }
        #expect(frames.map { $0.damage != nil } == [false, false, false, true])
        return frames.map(\.bitmap)
    }

    @Test func seekingFailsInsteadOfLeavingOutAFrameBeneath() throws {
        let expected = try Self.played()
        var decoder = try Self.compositor(failureCount: 1)
        let error = #expect(throws: ImageError.self) { try decoder.seek(to: 2) }
        #expect(error?.kind == .overLimit)
        #expect(try decoder.seek(to: 2))
        #expect(try decoder.nextFrame()?.bitmap == expected[2])
    }

    @Test(arguments: 0..<4)
    func frameAfterAFailedSeekIsThatOfItsIndex(_ index: Int) throws {
        let expected = try Self.played()
        let animation = Animation(
            loopCount: 0, frameDurations: Array(repeating: .milliseconds(100), count: 4), byteCount: 0
        ) { try Self.compositor(failureCount: 1) }
        var decoder = try animation.makeFrameDecoder()
        #expect(throws: ImageError.self) { try decoder.seek(to: 2) }
        #expect(try decoder.seek(to: index))
        #expect(try decoder.nextFrame()?.bitmap == expected[index])
    }

    @Test func framesAfterOneThatFailedAreDrawnOnIt() throws {
        let expected = try Self.played()
        var decoder = try Self.compositor(failureCount: 1)
        #expect(try decoder.nextFrame()?.bitmap == expected[0])
        #expect(throws: ImageError.self) { try decoder.nextFrame() }
        for index in 2..<4 { #expect(try decoder.nextFrame()?.bitmap == expected[index]) }
        #expect(try decoder.nextFrame() == nil)
    }

    @Test func framesOnOneThatAlwaysFailsAreErrors() throws {
        var decoder = try Self.compositor(failureCount: .max)
        #expect(try decoder.nextFrame() != nil)
        for _ in 1..<4 { #expect(throws: ImageError.self) { try decoder.nextFrame() } }
        #expect(try decoder.nextFrame() == nil)
    }

    @Test func damagedFrameIsNotShownWithoutThoseBeneathIt() throws {
        let expected = try Self.played()
        var decoder = try Self.compositor(failureCount: 1)
        #expect(try decoder.seek(to: 3))
        #expect(throws: ImageError.self) { try decoder.nextFrame() }
        #expect(try decoder.nextFrame() == nil)
        #expect(try decoder.seek(to: 3))
        let frame = try #require(try decoder.nextFrame())
        #expect(frame.bitmap == expected[3] && frame.damage?.hasPrefix("frame 4 ") == true)
    }
}
