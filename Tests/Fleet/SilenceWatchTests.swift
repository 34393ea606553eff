import Testing

@testable import DarkroomFleet

struct SilenceWatchTests {
    @Test func silenceLastsUntilAnAnswer() {
        let (watch, start) = (SilenceWatch(), ContinuousClock.now)
        #expect(watch.hasLasted(since: start))
        watch.end()
        #expect(!watch.hasLasted(since: start))
        #expect(watch.hasLasted(since: .now + .seconds(1)))
    }
}
