import DarkroomTestKit
import Testing

@testable import DarkroomFleet

struct SilenceWatchTests {
    @Test func silenceLastsUntilAnAnswer() {
        let clock = ManualClock()
        let watch = SilenceWatch(clock: clock)
        let start = watch.now
        #expect(watch.hasLasted(since: start))
        clock.advance(by: .seconds(1))
        watch.end()
        #expect(!watch.hasLasted(since: start))
        clock.advance(by: .seconds(1))
        #expect(watch.hasLasted(since: watch.now))
    }
}
