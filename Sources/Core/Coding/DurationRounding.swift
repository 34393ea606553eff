/// Rounds the durations of frames to the ticks of a format. What a frame gains or loses thereby is taken from or added to
/// the next ones, so that the sum is kept.
package struct DurationRounding {
    private let ticksPerSecond: Double

    /// The ticks by which the frames so far are too short.
    private var lost = 0.0

    /// Creates the rounding of a format with this many ticks in a second.
    package init(ticksPerSecond: Double) { self.ticksPerSecond = ticksPerSecond }

    /// Returns the number of ticks, in `range`, for the next frame.
    package mutating func ticks(for duration: Duration, in range: ClosedRange<Int>) -> Int {
        let exact = duration.inSeconds * ticksPerSecond + lost
        let ticks = min(max(exact.rounded(), Double(range.lowerBound)), Double(range.upperBound))
        lost = exact - ticks
        return Int(ticks)
    }
}
