import DarkroomIsolation
import DarkroomTestKit
import FoundationEssentials
import TestSupport
import Testing

@testable import DarkroomCore

/// The time that workers spend on frames is part of the time of a load. Each frame has a clock of its own, too.
@Suite(.bounded, .withoutThreadSanitizer) struct FrameTimeTests {
    private static func animation(of bitmaps: [Bitmap]) -> Image {
        var info = ImageInfo(format: .png, storedSize: bitmaps[0].size)
        info.frameCount = bitmaps.count
        let frames = bitmaps.map { Frame($0, duration: .seconds(1)) }
        return Image(info: info, bitmap: bitmaps[0], animation: Animation(frames: frames))
    }

    /// An animation whose frames note the clock that includes them.
    private static func noting(_ clocks: Recorder<WorkClock?>) -> Image {
        let image = animation(of: [.testCard(9, 9), Bitmap(9, 9) { _, _ in .white }])
        let animation = image.animation?.mapFrames { _ in clocks.note(WorkClock.ofFrames) }
        return Image(info: image.info, bitmap: image.bitmap, animation: animation)
    }

    @Test func timeInTheWorkerCounts() throws {
        let file = try localCoders.encode(
            Self.animation(of: [.testCard(300, 300), .testCard(300, 300)]), as: .png)
        let image = try TestEnvironment.standard.pool.coders.decode(file)
        var decoder = try #require(image.animation).makeFrameDecoder()
        let clock = WorkClock(limit: .seconds(10))
        // It does not run, so that nothing else counts.
        var frameCount = 0
        try clock.includingFrames {
            while try decoder.nextFrame() != nil { frameCount += 1 }
        }
        #expect(frameCount == 2)
        #expect(clock.timeSpent > .zero)
    }

    @Test func encodedFramesCount() throws {
        let (clock, clocks) = (WorkClock(limit: .seconds(10)), Recorder<WorkClock?>())
        _ = try localCoders.encode(Self.noting(clocks), as: .gif, clock: clock)
        #expect(!clocks.values.isEmpty && clocks.values.allSatisfy { $0 === clock })
    }

    @Test func preloadedFramesCount() async throws {
        let clocks = Recorder<WorkClock?>()
        let image = Self.noting(clocks)
        let manager = try ImageManager { $0.install(FakeLoader { _ in LoadResponse(.image(image)) }) }
        let url = try #require(URL(string: "http://example.com/a"))
        _ = try await manager.load(url, context: ImageContext { $0.preloadsFrames = true })
        #expect(clocks.values.count == 2 && clocks.values.allSatisfy { $0 != nil })
    }
}
