#if HTTP
    @testable import DarkroomHTTP
    import DarkroomTestKit
    import NIOCore
    import TestSupport
    import Testing

    @Suite(.bounded)
    struct DeadlineTimerTests {
        /// The scales of repeated attempts: on a busy machine, a call may be due before the next one is set.
        private static let scales = (0..<8).map { Int64(1) << $0 }

        @Test(arguments: [[30, 1, 60], [1, 30, 60], [60, 30, 1], [5, 5, 5]])
        func callsAreMadeInOrderOfTheirDeadlines(_ times: [Int64]) async {
            var orders: [[Int64]] = []
            for scale in Self.scales where orders.last != times.sorted() {
                let (timer, calls) = (DeadlineTimer(), Recorder<Int64>())
                let start = NIODeadline.now()
                for time in times { _ = timer.schedule(at: start + .milliseconds(time * scale)) { calls.note(time) } }
                await calls.waitForValues(3)
                withExtendedLifetime(timer) { orders.append(calls.values) }
            }
            #expect(orders.last == times.sorted(), "\(orders)")
        }

        @Test func cancelledCallIsNotMade() async {
            for scale in Self.scales {
                let (timer, calls) = (DeadlineTimer(), Recorder<Int>())
                let soon = NIODeadline.now() + .milliseconds(5 * scale)
                let first = timer.schedule(at: soon) { calls.note(1) }
                _ = timer.schedule(at: soon + .milliseconds(15 * scale)) { calls.note(2) }
                timer.cancel(first)
                guard .now() < soon else { continue }
                await calls.waitForValues(1)
                #expect(calls.values == [2])
                return withExtendedLifetime(timer) {}
            }
            Issue.record("the machine is too busy to take anything back in time")
        }

        @Test func timerCanBeReusedAfterFiring() async {
            let (timer, calls) = (DeadlineTimer(), Recorder<Int>())
            for number in 1...3 {
                _ = timer.schedule(at: .now() + .milliseconds(1)) { calls.note(number) }
                await calls.waitForValues(number)
            }
            withExtendedLifetime(timer) {}
            #expect(calls.values == [1, 2, 3])
        }
    }
#endif
