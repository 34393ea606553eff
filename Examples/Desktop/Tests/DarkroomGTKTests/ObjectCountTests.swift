import DarkroomGTK
import Testing

struct ObjectCountTests {
    @Test func zeroIsReportedWhenTheLastObjectHasEnded() async {
        let count = ObjectCount()
        #expect(await count.isZero(within: .seconds(3600)))
        count.add()
        count.add()
        async let isZero = count.isZero(within: .seconds(3600))
        count.remove()
        count.remove()
        #expect(await isZero)
    }

    @Test func remainingObjectIsReportedAfterTheLimit() async {
        let count = ObjectCount()
        count.add()
        #expect(await !count.isZero(within: .milliseconds(1)))
        #expect(count.value == 1)
    }
}
