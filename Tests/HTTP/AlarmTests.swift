#if HTTP
    @testable import DarkroomHTTP
    import NIOCore
    import TestSupport
    import Testing

    @Suite(.timeLimit(.minutes(2)))
    struct AlarmTests {
        private let alarm = Alarm()
        private let calls = Recorder<Int>()

        private func set(_ number: Int, in milliseconds: Int64) -> UInt64 {
            alarm.set(.now() + .milliseconds(milliseconds)) { [calls] in calls.note(number) }
        }

        @Test(arguments: [[30, 1, 60], [1, 30, 60], [60, 30, 1], [5, 5, 5]])
        func everyCallComesInItsTurn(_ times: [Int64]) async {
            for time in times { _ = set(Int(time), in: time) }
            await calls.reached(3)
            #expect(calls.values == times.sorted().map(Int.init))
        }

        @Test func whatWasTakenBackIsNotCalled() async {
            let first = set(1, in: 5)
            _ = set(2, in: 20)
            alarm.takeBack(first)
            await calls.reached(1)
            #expect(calls.values == [2])
        }

        @Test func alarmThatRangIsSetAgain() async {
            for number in 1...3 {
                _ = set(number, in: 1)
                await calls.reached(number)
            }
            #expect(calls.values == [1, 2, 3])
        }
    }
#endif
