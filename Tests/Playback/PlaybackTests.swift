@testable import DarkroomCore
@testable import DarkroomPlayback
import Testing

struct PlaybackTests {
    @Test(arguments: [
        (PlaybackMode.normal, "0 1 2 3 |1 0 1 2 3 |2"),
        (.reverse, "3 2 1 0 |1 3 2 1 0 |2"),
        (.bounce, "0 1 2 3 2 1 |1 0 1 2 3 2 1 |2"),
        (.reversedBounce, "3 2 1 0 |1 1 2 3 2 1 0 |2"),
    ])
    func eachModeHasItsOrderAndLoops(mode: PlaybackMode, expected: String) {
        var playback = Playback(durations: [.seconds(1), .seconds(1), .seconds(1), .seconds(1)], totalLoopCount: 2)
        playback.mode = mode
        playback.start()
        #expect(playback.story(ticks: 40) == expected)
        #expect(!playback.isPlaying && playback.index == 0 && playback.loopCount == 0)
    }

    @Test(arguments: [
        (PlaybackMode.normal, "0 1 |1 0 1 |2 0"), (.reverse, "1 0 |1 1 0 |2 1"),
        (.bounce, "0 1 |1 0 1 |2 0"), (.reversedBounce, "1 0 |1 1 0 |2 1"),
    ])
    func twoFramesLoopForever(mode: PlaybackMode, expected: String) {
        var playback = Playback(durations: [.seconds(1), .seconds(1)], totalLoopCount: 0)
        playback.mode = mode
        playback.start()
        #expect(playback.story(ticks: 5) == expected)
        #expect(playback.isPlaying && playback.loopCount == 2)
    }

    @Test func frameIsShownForItsDuration() {
        var playback = Playback(durations: [.seconds(1), .milliseconds(250), .milliseconds(500)], totalLoopCount: 0)
        playback.start()
        // The first tick shows a frame, and the last one within its duration makes the next frame due.
        #expect(playback.indices(ticks: 8, of: 0.25) == [0, 0, 0, 1, 2, 2, 0, 0])
    }

    @Test(arguments: [(2.0, [0, 1, 1, 0, 0, 1]), (0.5, [0, 0, 0, 0, 0, 0])])
    func rateDividesDurations(rate: Double, expected: [Int]) {
        var playback = Playback(durations: [.seconds(1), .seconds(1)], totalLoopCount: 0)
        playback.rate = rate
        playback.start()
        #expect(playback.indices(ticks: 6, of: 0.25) == expected)
    }

    @Test(arguments: [0, -1, -Double.infinity, Double.nan])
    func nonpositiveRateStopsAtTheNextTick(rate: Double) {
        var playback = Playback(durations: [.seconds(1), .seconds(1), .seconds(1)], totalLoopCount: 0)
        playback.start()
        _ = playback.story(ticks: 5)
        playback.rate = rate
        #expect(playback.isPlaying && playback.index == 2 && playback.loopCount == 1)
        #expect(playback.story(ticks: 1) == "")
        #expect(!playback.isPlaying && playback.index == 0 && playback.loopCount == 0)
    }

    @Test func longTickSkipsNoFrame() {
        var playback = Playback(durations: [.seconds(1), .seconds(1), .seconds(1), .seconds(1)], totalLoopCount: 0)
        playback.start()
        #expect(playback.story(ticks: 3, of: 1000) == "0 1 2")
        // The excess time is clamped to the duration of the frame just shown, so the next tick advances, however short
        // it is.
        #expect(playback.story(ticks: 3, of: 0) == "3 |1 0")
        #expect(playback.index == 0)
    }

    @Test func missingFrameStopsTime() {
        var playback = Playback(durations: [.seconds(1), .seconds(1), .seconds(1)], totalLoopCount: 0)
        playback.start()
        #expect(playback.story(ticks: 9) { _ in .missing } == "")
        #expect(playback.index == 0 && playback.nextPosition.index == 0)
        #expect(playback.story(ticks: 1, of: 0.5) == "0")
        #expect(playback.index == 0 && playback.nextPosition.index == 1)
        #expect(playback.story(ticks: 5, of: 0.5) { $0 == 1 ? .missing : .ready } == "")
        #expect(playback.index == 1 && playback.nextPosition.index == 1)
        #expect(playback.story(ticks: 2, of: 0.5) == "1")
        #expect(playback.index == 2)
    }

    @Test func brokenFrameTakesItsDurationButIsNotShown() {
        var playback = Playback(durations: [.seconds(1), .seconds(1), .seconds(1)], totalLoopCount: 1)
        playback.start()
        #expect(playback.indices(ticks: 6, of: 0.5) { $0 == 1 ? .broken : .ready } == [0, 1, 1, 2, 2, 0])
        playback.start()
        #expect(playback.story(ticks: 9) { $0 == 1 ? .broken : .ready } == "0 2 |1")
    }

    @Test func seekPreservesTheElapsedTimeWithoutStarting() {
        var playback = Playback(durations: [.seconds(1), .seconds(1), .seconds(1)], totalLoopCount: 0)
        let reached = playback.seek(to: 1, loop: 7)
        #expect(reached && !playback.isPlaying && playback.index == 1 && playback.loopCount == 7)
        for (index, loop) in [(3, 0), (-1, 0), (0, -1)] {
            let isThere = playback.seek(to: index, loop: loop)
            #expect(!isThere)
        }
        playback.start()
        #expect(playback.story(ticks: 1, of: 0.75) == "")
        _ = playback.seek(to: 0, loop: 8)
        #expect(playback.indices(ticks: 2, of: 0.25) == [1, 1])
        #expect(playback.loopCount == 8)
    }

    @Test func reversePlaybackResumesAfterAPause() {
        var playback = Playback(durations: [.seconds(1), .seconds(1), .seconds(1)], totalLoopCount: 1)
        playback.mode = .reverse
        playback.start()
        #expect(playback.story(ticks: 2) == "2 1")
        playback.pause()
        #expect(playback.story(ticks: 2) == "" && playback.index == 0)
        playback.start()
        #expect(playback.story(ticks: 2) == "0 |1")
    }

    @Test func progressiveAnimationWaitsAtItsLastFrame() {
        for mode in PlaybackMode.allCases {
            var playback = Playback(durations: [.seconds(1), .seconds(1)], totalLoopCount: 1)
            playback.isGrowing = true
            playback.mode = mode
            playback.start()
            #expect(playback.story(ticks: 9, of: 5) == "0 1")
            #expect(playback.index == 1 && playback.nextPosition.index == 1)
            playback.seconds = [1, 1, 1, 1]
            // The frame has been visible long enough: the next tick advances, and then each frame has its full
            // duration.
            #expect(playback.story(ticks: 1, of: 0) == "" && playback.index == 2)
            #expect(playback.story(ticks: 9) == "2 3")
            #expect(playback.isPlaying && playback.loopCount == 0)
        }
    }

    @Test func singleFrameIsNotPlayed() {
        var playback = Playback(durations: [.seconds(1)], totalLoopCount: 0)
        playback.start()
        #expect(playback.story(ticks: 3) == "" && !playback.isPlaying)
    }

    @Test(arguments: PlaybackMode.allCases, 1...5)
    func distanceIsTheNumberOfSteps(mode: PlaybackMode, count: Int) {
        for index in 0..<count {
            for isForward in [true, false] {
                let start = PlaybackPosition(index: index, count: count, mode: mode, isForward: isForward)
                var (place, seen) = (start, [Int: Int]())
                for step in 0..<3 * count {
                    if seen[place.index] == nil { seen[place.index] = step }
                    place = place.next
                }
                #expect(seen.count == count)
                for (other, step) in seen { #expect(start.distance(to: other) == step) }
            }
        }
    }
}

extension Playback {
    /// Returns the events of `count` ticks: the frames shown, and the ends of loops as `|1`.
    fileprivate mutating func story(
        ticks: Int, of seconds: Double = 1, availability: (Int) -> Availability = { _ in .ready }
    ) -> String {
        var words: [String] = []
        for _ in 0..<ticks {
            for event in tick(seconds, availability) {
                switch event {
                case .shown(let index): words.append("\(index)")
                case .loopEnded(let count): words.append("|\(count)")
                }
            }
        }
        return words.joined(separator: " ")
    }

    /// Returns the current frame after each tick.
    fileprivate mutating func indices(
        ticks: Int, of seconds: Double, availability: (Int) -> Availability = { _ in .ready }
    ) -> [Int] {
        (0..<ticks).map { _ in
            _ = tick(seconds, availability)
            return index
        }
    }
}
