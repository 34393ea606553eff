#if HTTP
    @testable import DarkroomHTTP
    import NIOCore
    import TestSupport
    import Testing

    @Suite(.timeLimit(.minutes(10)))
    struct AlarmTests {
        /// The scales of repeated attempts: on a busy machine, a call may be due before the next one is set.
        private static let scales = (0..<8).map { Int64(1) << $0 }

        @Test(arguments: [[30, 1, 60], [1, 30, 60], [60, 30, 1], [5, 5, 5]])
        func everyCallComesInItsTurn(_ times: [Int64]) async {
            var orders: [[Int64]] = []
            for scale in Self.scales where orders.last != times.sorted() {
                let (alarm, calls) = (Alarm(), Recorder<Int64>())
                let start = NIODeadline.now()
                for time in times { _ = alarm.set(start + .milliseconds(time * scale)) { calls.note(time) } }
                await calls.reached(3)
                withExtendedLifetime(alarm) { orders.append(calls.values) }
            }
            #expect(orders.last == times.sorted(), "\(orders)")
        }

        @Test func whatWasTakenBackIsNotCalled() async {
            for scale in Self.scales {
                let (alarm, calls) = (Alarm(), Recorder<Int>())
                let soon = NIODeadline.now() + .milliseconds(5 * scale)
                let first = alarm.set(soon) { calls.note(1) }
                _ = alarm.set(soon + .milliseconds(15 * scale)) { calls.note(2) }
                alarm.takeBack(first)
                guard .now() < soon else { continue }
                await calls.reached(1)
                #expect(calls.values == [2])
                return withExtendedLifetime(alarm) {}
            }
            Issue.record("the machine is too busy to take anything back in time")
        }

        @Test func alarmThatRangIsSetAgain() async {
            let (alarm, calls) = (Alarm(), Recorder<Int>())
            for number in 1...3 {
                _ = alarm.set(.now() + .milliseconds(1)) { calls.note(number) }
                await calls.reached(number)
            }
            withExtendedLifetime(alarm) {}
            #expect(calls.values == [1, 2, 3])
        }
    }
#endif
