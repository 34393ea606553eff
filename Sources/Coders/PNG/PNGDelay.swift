/// Seconds as the fraction of 16-bit numbers that comes nearest.
struct PNGDelay: Equatable {
    /// How many ticks.
    let ticks: UInt16

    /// How many of them make a second.
    let ticksPerSecond: UInt16

    /// The delay of `seconds`; less than none counts as none, and more than 65,535 as that.
    ///
    /// Whole milliseconds up to a minute come out exactly, as does every fraction that fits.
    init(_ seconds: Double) {
        guard seconds > 0 else {
            (ticks, ticksPerSecond) = (0, 1000)
            return
        }
        guard seconds < 65_535 else {
            (ticks, ticksPerSecond) = (.max, 1)
            return
        }
        // Convergents of the continued fraction, up to the first that is exact or the last that fits.
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
        // A delay below 1/65,535 has no convergent that fits but that of none.
        (ticks, ticksPerSecond) = now.second == 0 ? (0, 1000) : (UInt16(now.ticks), UInt16(now.second))
    }
}
