import DarkroomCore
import Testing

@Suite struct DurationTests {
    @Test(
        arguments: [
            (0.1, .milliseconds(100)), (-2.5, .milliseconds(-2500)), (1e-9, .nanoseconds(1)), (0, .zero),
            (8_589_934_592, .seconds(8_589_934_592)), (1e12, .seconds(1_000_000_000_000)),
            (1e300, .seconds(1_000_000_000_000_000)), (-.infinity, .seconds(-1_000_000_000_000_000)), (.nan, .zero),
        ] as [(Double, Duration)])
    func everyNumberOfSecondsIsADuration(seconds: Double, duration: Duration) {
        #expect(Duration(saturatingSeconds: seconds) == duration)
    }

    @Test(arguments: [0, 0.25, -1e-9, 123_456.789, 1e15])
    func numberOfSecondsRoundTrips(seconds: Double) {
        #expect(Duration(saturatingSeconds: seconds).inSeconds == seconds)
    }

    @Test(arguments: [(Duration.seconds(Int64.max), Int.max), (.seconds(Int64.min), .min), (.microseconds(-3), -3000)])
    func nanosecondsAreClamped(duration: Duration, count: Int) { #expect(duration.inNanoseconds == count) }
}
