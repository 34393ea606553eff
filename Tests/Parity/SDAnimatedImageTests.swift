import Darkroom
import DarkroomTestKit
import TestSupport
import Testing

/// `SDAnimatedImage`, `SDAnimatedImagePlayer` and `UIImage+Metadata`.
@Suite(.bounded)
struct SDAnimatedImageTests {
    private let frames = (0..<3).map { Frame(.testCard(6, 4, number: $0), duration: .seconds(1)) }

    private func image(loopCount: Int = 0) throws -> Image {
        try #require(Image(frames: frames, loopCount: loopCount))
    }

    private func indices(_ mode: PlaybackMode, loopCount: Int) async throws -> [Int] {
        let player = try #require(AnimationPlayer(try image(loopCount: loopCount)))
        player.playbackMode = mode
        var indices: [Int] = []
        for await event in player.play(on: ManualClock(skipsSleeps: true)) {
            if case .frame(let shown) = event { indices.append(shown.index) }
        }
        return indices
    }

    @Test func framesAreWholePicturesInAnyOrder() throws {
        let data = try CoderRegistry.standard.encode(try image(), as: .png)
        let animation = try #require(try CoderRegistry.standard.decode(data).animation)
        var decoder = try animation.makeFrameDecoder()
        for index in [2, 0, 1, 2] {
            #expect(try decoder.seek(to: index))
            #expect(try decoder.nextFrame()?.bitmap == frames[index].bitmap)
        }
    }

    @Test func loopCountFrameCountAndDurationsAreReadable() throws {
        let animation = try #require(try image(loopCount: 2).animation)
        #expect(
            animation.loopCount == 2 && animation.frameCount == 3
                && animation.frameDurations == [.seconds(1), .seconds(1), .seconds(1)])
    }

    @Test func stillHasNoAnimation() throws {
        #expect(try CoderRegistry.standard.decode(Fixture("png-9x17.png").data).animation == nil)
        #expect(AnimationPlayer(picture(.testCard(2, 2))) == nil)
    }

    @Test func viewShowsAStillAsItIs() {
        let surface = AnimationSurface()
        surface.image = picture(.testCard(4, 4))
        #expect(surface.shownFrame?.frame.bitmap == .testCard(4, 4) && surface.player == nil)
        surface.image = nil
        #expect(surface.shownFrame == nil)
    }

    @Test func viewPlaysAnAnimationUntilItIsHidden() throws {
        let surface = AnimationSurface()
        surface.image = try image()
        #expect(surface.isPlaying)
        surface.isVisible = false
        #expect(!surface.isPlaying)
    }

    @Test func memoryCostCountsThePixels() throws {
        #expect(picture(.testCard(100, 50)).memoryCost == 100 * 50 * 4)
    }

    @Test(arguments: [
        (PlaybackMode.normal, [0, 1, 2, 0, 1, 2]), (.reverse, [2, 1, 0, 2, 1, 0]),
    ])
    func playbackModesShowTheFramesInOrder(mode: PlaybackMode, expected: [Int]) async throws {
        #expect(try await indices(mode, loopCount: 2) == expected)
    }
}
