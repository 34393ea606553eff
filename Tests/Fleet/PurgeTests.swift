import DarkroomFleet
import Testing

struct PurgeTests {
    @Test func purgesOfDifferentSourcesDiffer() {
        #expect(Purge.source("a") != .source("b"))
        #expect(Purge.source("a") != .all)
    }
}
