import DarkroomCore

/// A delay as the nearest fraction of 16-bit numbers.
struct PNGDelay: Equatable {
    /// The numerator.
    let ticks: UInt16

    /// The denominator.
    let ticksPerSecond: UInt16

    /// Creates the delay nearest to `duration`, clamped to 0 through 65,535 seconds.
    ///
    /// Whole milliseconds up to a minute are represented exactly, as is every fraction that fits.
    init(_ duration: Duration) {
        let seconds = duration.inSeconds
        guard seconds > 0 else {
            (ticks, ticksPerSecond) = (0, 1000)
            return
        }
        guard seconds < 65_535 else {
            (ticks, ticksPerSecond) = (.max, 1)
            return
        }
        // Convergents of the continued fraction, up to the first exact one or the last one that fits.
        var (before, now) = ((ticks: 0.0, second: 1.0), (ticks: 1.0, second: 0.0))
        var rest = seconds
        while true {
            let whole = rest.rounded(.down)
            let next = (ticks: whole * now.ticks + before.ticks, second: whole * now.second + before.second)
            guard max(next.ticks, next.second) <= 65_535 else { break }
            (before, now) = (now, next)
            guard abs(now.ticks / now.second - seconds) > seconds * 1e-12, rest > whole else { break }
            rest = 1 / (rest - whole)
        }
        // Below 1/65,535, the only convergent that fits is zero.
        (ticks, ticksPerSecond) = now.second == 0 ? (0, 1000) : (UInt16(now.ticks), UInt16(now.second))
    }
}
