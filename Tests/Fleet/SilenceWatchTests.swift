import DarkroomTestKit
import Testing

@testable import DarkroomFleet

struct SilenceWatchTests {
    @Test func silenceLastsUntilAnAnswer() {
        let clock = ManualClock()
        let watch = SilenceWatch(patience: .milliseconds(300), clock: clock)
        let start = watch.begin()
        #expect(watch.hasLasted(since: start))
        clock.advance(by: .seconds(1))
        watch.end(isAnswered: true)
        #expect(!watch.hasLasted(since: start))
        clock.advance(by: .seconds(1))
        #expect(watch.hasLasted(since: watch.begin()))
    }

    @Test func engineIsSilentWhileItAnswersNoCallInFlight() {
        let clock = ManualClock()
        let watch = SilenceWatch(patience: .milliseconds(300), suspiciousCount: 2, clock: clock)
        _ = watch.begin()
        clock.advance(by: .seconds(1))
        #expect(!watch.isSilent, "one call is not suspicious")
        watch.end(isAnswered: true)
        for _ in 0..<3 { _ = watch.begin() }
        clock.advance(by: .milliseconds(299))
        #expect(!watch.isSilent)
        clock.advance(by: .milliseconds(1))
        #expect(watch.isSilent)
        watch.end(isAnswered: true)
        #expect(!watch.isSilent)
        clock.advance(by: .milliseconds(300))
        #expect(watch.isSilent)
        // A call that was given up is no answer, but the next one is tried.
        watch.end(isAnswered: false)
        #expect(!watch.isSilent)
    }
}
