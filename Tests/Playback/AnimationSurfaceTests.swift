@testable import DarkroomCore
@testable import DarkroomPlayback
import DarkroomTestKit
import TestSupport
import Testing

@Suite(.bounded)
struct AnimationSurfaceTests {
    private let film = Film(frameCount: 4)

    /// Returns a surface that decodes on the thread of `film`.
    private func surface() -> AnimationSurface { AnimationSurface(executor: film.executor) }

    /// Returns the frames shown in `count` ticks of a second, each after all requested frames were decoded.
    private func story(_ surface: AnimationSurface, ticks: Int) async throws -> [Int] {
        var indices: [Int] = []
        try await film.settle()
        for _ in 0..<ticks {
            if let shown = surface.tick(.seconds(1)) {
                #expect(shown.frame.bitmap == surface.shownFrame?.frame.bitmap)
                indices.append(shown.index)
            }
            try await film.settle()
        }
        return indices
    }

    @Test func stillIsShownUnchanged() async throws {
        let surface = surface()
        let still = Image(info: ImageInfo(format: .png, storedSize: PixelSize(1, 1)), bitmap: try film.picture(9))
        surface.transformer = Brighter()
        surface.image = still
        #expect(surface.player == nil && surface.currentFrame == nil && surface.currentFrameIndex == 0)
        #expect(surface.shownFrame?.frame.bitmap.filmIndex == 9)
        surface.start()
        #expect(try await story(surface, ticks: 3) == [])
        surface.image = nil
        #expect(surface.shownFrame == nil)
    }

    @Test func animationPlaysWhileVisible() async throws {
        let surface = surface()
        surface.image = try film.image(of: film.animation())
        #expect(surface.isPlaying)
        #expect(try await story(surface, ticks: 3) == [0, 1, 2])
        surface.isVisible = false
        #expect(try await story(surface, ticks: 3) == [])
        #expect(surface.shownFrame?.index == 2)
        surface.start()
        #expect(!surface.isPlaying)
        surface.isVisible = true
        #expect(try await story(surface, ticks: 3) == [3, 0, 1])
    }

    @Test func withoutAutoplayOnlyStartPlays() async throws {
        let surface = surface()
        surface.playsAutomatically = false
        surface.image = try film.image(of: film.animation())
        for isVisible in [false, true] { surface.isVisible = isVisible }
        surface.playbackRate = 2
        #expect(!surface.isPlaying && surface.shownFrame?.index == 0)
        surface.start()
        #expect(try await story(surface, ticks: 2) == [0, 1])
        surface.stop()
        surface.playsAutomatically = true
        #expect(surface.isPlaying)
    }

    @Test func settingsDoNotRestartAStoppedSurface() throws {
        let surface = surface()
        surface.image = try film.image(of: film.animation())
        surface.stop()
        surface.playbackRate = 2
        surface.playbackMode = .bounce
        surface.loopCount = 3
        surface.clearsBufferWhenStopped = true
        #expect(!surface.isPlaying)
        #expect(surface.player?.playbackRate == 2 && surface.player?.playbackMode == .bounce)
        #expect(surface.player?.totalLoopCount == 3)
    }

    @Test(arguments: [(nil, 1), (2, 2), (0, nil)] as [(Int?, Int?)])
    func loopCountCanBeOverridden(own: Int?, expected: Int?) async throws {
        let surface = surface()
        surface.loopCount = own
        surface.image = try film.image(of: film.animation(loopCount: 1))
        let shown = try await story(surface, ticks: 20)
        #expect(shown.count == expected.map { $0 * 4 } ?? 20)
        #expect(surface.isPlaying == (expected == nil))
        // The last frame stays visible.
        #expect(surface.shownFrame?.index == 3)
    }

    @Test(arguments: [true, false])
    func stopResetsAndClearsOnlyOnRequest(isAsked: Bool) async throws {
        let surface = surface()
        surface.resetsFrameIndexWhenStopped = isAsked
        surface.clearsBufferWhenStopped = isAsked
        surface.image = try film.image(of: film.animation())
        #expect(try await story(surface, ticks: 2) == [0, 1])
        surface.stop()
        #expect(surface.currentFrameIndex == (isAsked ? 0 : 2))
        #expect(surface.player?.pool.indices == (isAsked ? [] : [0, 1, 2]))
        #expect(surface.shownFrame?.index == 1)
    }

    @Test func sameImageChangesNothingAndAnotherRestarts() async throws {
        let surface = surface()
        let image = try film.image(of: film.animation())
        surface.image = image
        #expect(try await story(surface, ticks: 2) == [0, 1])
        let player = try #require(surface.player)
        surface.image = image
        #expect(surface.player === player && surface.currentFrameIndex == 2)
        surface.image = try film.image(of: film.animation())
        #expect(surface.player !== player && !player.isPlaying)
        #expect(surface.currentFrameIndex == 0 && surface.currentLoopCount == 0)
        #expect(try await story(surface, ticks: 1) == [0])
    }

    @Test func transformedFramesAreSharedOnlyWithEqualTransformers() async throws {
        let animation = film.animation()
        let surfaces = (0..<3).map { _ in surface() }
        for surface in surfaces.prefix(2) { surface.transformer = Brighter() }
        for surface in surfaces {
            surface.image = try film.image(of: animation)
            for _ in 0..<12 {
                if let shown = surface.tick(.seconds(1)) {
                    let level = shown.frame.bitmap.bytes[2]
                    #expect(level == (surface === surfaces[2] ? 0 : 100))
                }
                try await film.settle()
            }
        }
        // Decoded once for both surfaces with a transformer, and then for the other one, which has the first frame
        // already.
        #expect(film.decoded.values == [0, 1, 2, 3, 1, 2, 3])
    }

    @Test func firstFrameIsTransformedBeforeItIsShown() async throws {
        let surface = surface()
        surface.playsAutomatically = false
        surface.transformer = Brighter()
        surface.image = try film.image(of: film.animation())
        #expect(surface.shownFrame == nil)
        #expect(try await story(surface, ticks: 4) == [0])
        #expect(surface.shownFrame?.frame.bitmap.bytes[2] == 100 && !surface.isPlaying)
        surface.start()
        #expect(try await story(surface, ticks: 2) == [1])
    }

    @Test func newTransformerRestarts() async throws {
        let surface = surface()
        surface.image = try film.image(of: film.animation())
        #expect(try await story(surface, ticks: 2) == [0, 1])
        surface.transformer = Brighter()
        let player = surface.player
        #expect(surface.currentFrameIndex == 0)
        #expect(try await story(surface, ticks: 2) == [0, 1])
        #expect(surface.shownFrame?.frame.bitmap.bytes[2] == 100)
        surface.transformer = Brighter()
        #expect(surface.player === player)
    }

    @Test func progressiveAnimationContinuesAndItsFinishedImageRestarts() async throws {
        let surface = surface()
        surface.image = try film.image(of: film.animation(frames: 1), isPreview: true)
        #expect(surface.player == nil && surface.shownFrame?.index == 0)
        surface.image = try film.image(of: film.animation(frames: 2), isPreview: true)
        let player = try #require(surface.player)
        #expect(try await story(surface, ticks: 5) == [0, 1])
        surface.image = try film.image(of: film.animation(frames: 4), isPreview: true)
        #expect(surface.player === player && player.totalFrameCount == 4)
        #expect(try await story(surface, ticks: 5) == [2, 3])
        #expect(surface.currentLoopCount == 0 && surface.isPlaying)
        #expect(film.decoded.values == [1, 2, 3])
        surface.image = try film.image(of: film.animation())
        #expect(surface.player !== player && surface.currentFrameIndex == 0)
        #expect(try await story(surface, ticks: 2) == [0, 1])
    }

    @Test func framesCountAgainstTheMemoryBudgetAndAreEvicted() async throws {
        let memory = MemoryBudget(byteLimit: 16)
        let surface = AnimationSurface(executor: film.executor, memoryBudget: memory)
        surface.image = try film.image(of: film.animation())
        _ = try await story(surface, ticks: 8)
        let pool = try #require(surface.player).pool
        #expect((pool.indices.count, memory.availableByteCount) == (4, 0))
        let reservation = try #require(memory.reserveNow(12))
        #expect(pool.indices.count == 1)
        reservation.release()
    }

    @Test func incompleteImageOfAnotherSizeRestarts() throws {
        let (surface, other) = (surface(), Film(frameCount: 4, size: PixelSize(2, 2)))
        surface.image = try film.image(of: film.animation(frames: 3), isPreview: true)
        let player = surface.player
        surface.image = try other.image(of: other.animation(), isPreview: true)
        #expect(surface.player !== player)
        let next = surface.player
        surface.image = try other.image(of: other.animation(frames: 3), isPreview: true)
        #expect(surface.player !== next, "frames do not become fewer")
    }

    @Test func posterModeShowsOnlyTheFirstFrameDuringLoading() async throws {
        let surface = surface()
        surface.playsWhileLoading = false
        surface.image = try film.image(of: film.animation(frames: 2), isPreview: true)
        surface.image = try film.image(of: film.animation(frames: 3), isPreview: true)
        surface.start()
        #expect(!surface.isPlaying && surface.shownFrame?.index == 0)
        #expect(try await story(surface, ticks: 3) == [])
        surface.image = try film.image(of: film.animation())
        #expect(try await story(surface, ticks: 3) == [0, 1, 2])
    }

    @Test func readersReceiveShownFramesAndWaitWhilePaused() async throws {
        let (surface, film) = (surface(), film)
        surface.image = Image(info: ImageInfo(format: .png, storedSize: film.size), bitmap: try film.picture(9))
        let (shown, clock) = (Recorder<Int>(), ManualClock(skipsSleeps: true))
        let reader = Task {
            for await frame in surface.frames(on: clock) { shown.note(frame.frame.bitmap.filmIndex) }
        }
        await shown.waitForValues(1)
        #expect(clock.deadlines.isEmpty)
        surface.image = try film.image(of: film.animation(loopCount: 1))
        await shown.waitForValues(5)
        surface.resetsFrameIndexWhenStopped = true
        surface.isVisible = false
        surface.isVisible = true
        await shown.waitForValues(9)
        reader.cancel()
        await reader.value
        #expect(shown.values == [9, 0, 1, 2, 3, 0, 1, 2, 3])
    }

    @Test func readSurfaceIsDeallocated() async throws {
        weak var freed: AnimationSurface?
        do {
            let surface = surface()
            freed = surface
            surface.image = try film.image(of: film.animation())
            for await frame in surface.frames(on: ManualClock(skipsSleeps: true)) where frame.index == 2 { break }
        }
        try await film.settle()
        #expect(freed == nil && film.liveCount == 0)
    }
}

/// A transformer that sets blue to 100.
private struct Brighter: ImageTransformer {
    let identifier = "Brighter"

    func transform(_ bitmap: Bitmap, for request: TransformRequest) throws -> Bitmap {
        let bytes = bitmap.bytes
        return try Bitmap(bitmap.size, hasAlpha: bitmap.hasAlpha) { pixels in
            for index in pixels.indices { pixels[index] = index % 4 == 2 ? 100 : bytes[index] }
        }
    }
}
