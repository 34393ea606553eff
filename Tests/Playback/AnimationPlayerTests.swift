@testable import DarkroomCore
@testable import DarkroomPlayback
import DarkroomTestKit
import Dispatch
import TestSupport
import Testing

@Suite(.bounded)
struct AnimationPlayerTests {
    @Test(arguments: [
        (PlaybackMode.normal, "0 1 2 |1 0 1 2 |2"), (.reverse, "2 1 0 |1 2 1 0 |2"),
        (.bounce, "0 1 2 1 |1 0 1 2 1 |2"), (.reversedBounce, "2 1 0 |1 1 2 1 0 |2"),
    ])
    func iterationPlaysAndEndsWithTheLastLoop(mode: PlaybackMode, expected: String) async throws {
        let film = Film(frameCount: 3)
        let player = try film.player(film.animation(loopCount: 2))
        player.playbackMode = mode
        var words: [String] = []
        for await event in player.play(on: ManualClock(skipsSleeps: true)) { words.append(event.word) }
        #expect(words.joined(separator: " ") == expected)
        #expect(!player.isPlaying && player.currentFrame == nil && player.currentFrameIndex == 0)
    }

    @Test func firstFrameIsShownAtTheFirstTick() async throws {
        let film = Film(frameCount: 3)
        let player = try #require(AnimationPlayer(try film.image(of: film.animation()), executor: film.executor))
        #expect(player.currentFrame == nil && player.totalFrameCount == 3)
        player.start()
        #expect(player.tick(.zero).map(\.word) == ["0"])
        #expect(player.currentFrame?.bitmap.filmIndex == 0)
        player.stop()
        try await film.settle()
        player.playbackMode = .reverse
        let hold = DispatchSemaphore(value: 0)
        film.executor.enqueue { hold.wait() }
        player.start()
        #expect(player.tick(.zero).isEmpty && player.currentFrameIndex == 2)
        hold.signal()
        try await film.settle()
        #expect(player.tick(.zero).map(\.word) == ["2"])
        #expect(!film.decoded.values.contains(0))
    }

    @Test func stillHasNoPlayer() throws {
        let film = Film(frameCount: 1)
        #expect(AnimationPlayer(film.animation()) == nil)
        #expect(AnimationPlayer(film.animation(frames: 0)) == nil)
        #expect(AnimationPlayer(try film.image(of: film.animation())) == nil)
        #expect(AnimationPlayer(film.animation(frames: 2)) != nil)
    }

    @Test func cancellationEndsIterationWithinATick() async throws {
        let film = Film(frameCount: 3)
        let player = try film.player(film.animation(), poster: film.picture(0))
        let clock = ManualClock()
        let shown = Recorder<String>()
        let reader = Task { for await event in player.play(on: clock) { shown.note(event.word) } }
        await clock.waitForSleeps(1)
        #expect(player.isPlaying)
        reader.cancel()
        await reader.value
        #expect(shown.values == ["0"])
        #expect(clock.deadlines.count == 1)
        #expect(!player.isPlaying && player.currentFrame != nil)
    }

    @Test func cancellationEndsPausedIteration() async throws {
        let film = Film(frameCount: 3)
        let player = try film.player(film.animation(), poster: film.picture(0))
        let paused = Recorder<Bool>()
        let reader = Task {
            for await _ in player.play(on: ManualClock(skipsSleeps: true)) {
                player.pause()
                paused.note(true)
            }
        }
        await paused.waitForValues(1)
        reader.cancel()
        await reader.value
        #expect(paused.values.count == 1)
    }

    @Test func leavingTheIterationPauses() async throws {
        let film = Film(frameCount: 3)
        let player = try film.player(film.animation())
        for await event in player.play(on: ManualClock(skipsSleeps: true)) where event.word == "1" { break }
        #expect(!player.isPlaying && player.currentFrame?.bitmap.filmIndex == 1)
        for await event in player.play(on: ManualClock(skipsSleeps: true)) {
            #expect(event.word == "2")
            break
        }
    }

    @Test func pauseSuspendsTheSequenceUntilStart() async throws {
        let film = Film(frameCount: 3)
        let player = try film.player(film.animation(loopCount: 1))
        let shown = Recorder<String>()
        let clock = ManualClock(skipsSleeps: true)
        let reader = Task {
            for await event in player.play(on: clock) {
                if event.word == "1" { player.pause() }
                shown.note(event.word)
            }
        }
        await shown.waitForValues(2)
        await StateChanges.wait { player.outlet.channel?.isWaiting == true }
        #expect(shown.values == ["0", "1"])
        player.start()
        await reader.value
        #expect(shown.values == ["0", "1", "2", "|1"])
    }

    @Test func clockIsOptional() async throws {
        let film = Film(frameCount: 3)
        let player = try film.player(film.animation(), poster: film.picture(0))
        for await event in player.play() {
            #expect(event.word == "0")
            break
        }
        #expect(!player.isPlaying)
    }

    @Test func stopEndsTheSequence() async throws {
        let film = Film(frameCount: 3)
        let player = try film.player(film.animation())
        var words: [String] = []
        for await event in player.play(on: ManualClock(skipsSleeps: true)) {
            words.append(event.word)
            if words.count == 5 { player.stop() }
        }
        #expect(words == ["0", "1", "2", "|1", "0"])
        #expect(player.currentFrame == nil && player.currentLoopCount == 0)
        #expect(player.pool.indices == [0, 1, 2])
    }

    @Test func newReaderEndsThePreviousOne() async throws {
        let film = Film(frameCount: 3)
        let player = try film.player(film.animation())
        var first = player.play(on: ManualClock(skipsSleeps: true)).makeAsyncIterator()
        #expect(await first.next()?.word == "0")
        var second = player.play(on: ManualClock(skipsSleeps: true)).makeAsyncIterator()
        #expect(await first.next() == nil)
        #expect(player.isPlaying)
        #expect(await second.next()?.word == "1")
    }

    @Test func iteratedPlayerIsDeallocated() async throws {
        let film = Film(frameCount: 3)
        weak var freed: AnimationPlayer?
        do {
            let player = try film.player(film.animation())
            freed = player
            for await event in player.play(on: ManualClock(skipsSleeps: true)) where event.word == "2" { break }
        }
        try await film.settle()
        #expect(freed == nil)
        #expect(film.liveCount == 0)
    }

    @Test func undecodableFrameIsSkipped() async throws {
        let film = Film(frameCount: 4, broken: [1, 3])
        let player = try film.player(film.animation(loopCount: 2))
        var words: [String] = []
        for await event in player.play(on: ManualClock(skipsSleeps: true)) { words.append(event.word) }
        #expect(words == ["0", "2", "|1", "0", "2", "|2"])
        #expect(film.decoded.values.sorted() == [0, 1, 2, 3])
    }

    @Test func frameThatCannotBeDecodedAtTheMomentIsAwaited() async throws {
        let film = Film(frameCount: 4, failureCounts: [1: 3, 3: 1])
        let player = try film.player(film.animation(loopCount: 1))
        await #expect(throws: ImageError.self) { try await player.seek(to: 3) }
        var words: [String] = []
        for await event in player.play(on: ManualClock(skipsSleeps: true)) { words.append(event.word) }
        #expect(words == ["0", "1", "2", "3", "|1"])
        #expect(film.decoded.values.sorted() == [0, 1, 1, 1, 1, 2, 3, 3])
    }

    @Test func seekShowsTheFrameWithoutStarting() async throws {
        let film = Film(frameCount: 5, broken: [4])
        let player = try film.player(film.animation())
        try await player.seek(to: 3, loop: 2)
        #expect(player.currentFrame?.bitmap.filmIndex == 3 && player.currentFrameIndex == 3)
        #expect(player.currentLoopCount == 2 && !player.isPlaying)
        for index in [-1, 5, .max] { try await player.seek(to: index) }
        let error = await #expect(throws: ImageError.self) { try await player.seek(to: 4) }
        #expect(error?.kind == .corrupt)
        #expect(player.currentFrameIndex == 3 && player.currentLoopCount == 2)
        #expect(film.decoded.values == [3, 4])
    }

    @Test func readerReceivesTheFrameOfASeek() async throws {
        let film = Film(frameCount: 9)
        let player = try film.player(film.animation())
        var events = player.play(on: ManualClock(skipsSleeps: true)).makeAsyncIterator()
        #expect(await events.next()?.word == "0")
        // An unread event is replaced by a newer one.
        for index in [5, 7] { try await player.seek(to: index) }
        #expect(await events.next()?.word == "7")
        #expect(await events.next()?.word == "8")
    }

    @Test func commandsMayBeConcurrent() async throws {
        let film = Film(frameCount: 4)
        let animation = film.animation()
        let player = try film.player(animation)
        await withTaskGroup { group in
            for task in 0..<4 {
                group.addTask {
                    for step in 0..<200 {
                        switch (task + step) % 7 {
                        case 0: player.start()
                        case 1: player.pause()
                        case 2: player.playbackMode = PlaybackMode.allCases[step % 4]
                        case 3: try? await player.seek(to: step % 5)
                        case 4: player.clearBuffer()
                        case 5: player.playbackRate = Double(step % 3)
                        default: player.tick(.milliseconds(500))
                        }
                    }
                }
            }
            group.addTask {
                for await _ in player.play(on: ManualClock(skipsSleeps: true)).prefix(50) { player.start() }
            }
            group.addTask {
                for _ in 0..<50 {
                    for await _ in player.play(on: ManualClock(skipsSleeps: true)).prefix(1) { player.start() }
                }
            }
            for _ in 0..<4 { await group.next() }
            group.cancelAll()
        }
        player.playbackRate = 1
        player.playbackMode = .normal
        player.stop()
        try await film.settle()
        var words: [String] = []
        for await event in player.play(on: ManualClock(skipsSleeps: true)).prefix(3) { words.append(event.word) }
        #expect(words == ["0", "1", "2"])
    }
}
