import DarkroomTestKit
import Testing

@testable import DarkroomFleet

struct SilenceWatchTests {
    private let clock = ManualClock()
    private let watch: SilenceWatch

    init() { watch = SilenceWatch(patience: .seconds(1), clock: clock) }

    @Test func aCallIsSilentUnlessAnotherWasAnsweredMeanwhile() throws {
        let (first, second) = (try #require(watch.begin()), try #require(watch.begin()))
        clock.advance(by: .milliseconds(1))
        #expect(!watch.end(first, .answered))
        #expect(!watch.end(second, .unanswered))
        clock.advance(by: .milliseconds(1))
        let third = try #require(watch.begin())
        clock.advance(by: .milliseconds(1))
        #expect(watch.end(third, .unanswered))
    }

    @Test func oneCallAtATimeTriesASilentEngine() throws {
        let first = try #require(watch.begin())
        clock.advance(by: .seconds(1))
        #expect(watch.end(first, .unanswered))
        let trial = try #require(watch.begin())
        #expect(watch.begin() == nil)
        watch.end(trial, .cancelled)
        let other = try #require(watch.begin())
        #expect(watch.begin() == nil)
        watch.end(other, .answered)
        #expect(watch.begin() != nil && watch.begin() != nil)
    }

    @Test func anErrorThatArrivesEarlyIsNoSilence() throws {
        let first = try #require(watch.begin())
        clock.advance(by: .milliseconds(999))
        watch.end(first, .unanswered)
        #expect(watch.begin() != nil && watch.begin() != nil)
    }
}
