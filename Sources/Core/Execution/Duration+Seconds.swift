extension Duration {
    /// Some 30 million years: sums and small multiples of such durations are in range.
    private static let longestSeconds = 1e15

    /// Creates the duration of a number of seconds: to the nanosecond up to 292 years, and to the second beyond. Larger
    /// numbers are clamped to 30 million years, and NaN is zero.
    ///
    /// For durations in files and other foreign data: `Duration.seconds(_:)` traps on numbers out of range.
    public init(saturatingSeconds seconds: Double) {
        if abs(seconds) < 9e9 {
            self = .nanoseconds(Int64(saturating: (seconds * 1e9).rounded()))
        } else if seconds.isNaN {
            self = .zero
        } else {
            self = .seconds(Int64(saturating: min(max(seconds, -Self.longestSeconds), Self.longestSeconds)))
        }
    }

    /// The number of seconds.
    package var inSeconds: Double { self / .seconds(1) }

    /// The number of nanoseconds, clamped to the range of integers.
    package var inNanoseconds: Int { Int(saturating: self / .nanoseconds(1)) }
}
