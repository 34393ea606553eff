extension Duration {
    /// Some 30 million years: sums and small multiples of such durations are in range.
    private static let longestSeconds = 1e15

    /// Creates the duration of a number of seconds: to the nanosecond up to 292 years, and to the second beyond. Larger
    /// numbers are clamped to 30 million years, and NaN is zero.
    ///
    /// For durations in files and other foreign data: `Duration.seconds(_:)` traps on numbers out of range.
    public init(saturatingSeconds seconds: Double) {
        if abs(seconds) < 9e9 {
            // Each hit in memory converts its lifetime, and `rounded()` and `Int64(saturating:)` are calls.
            self = .nanoseconds(Int64(seconds * 1e9 + (seconds < 0 ? -0.5 : 0.5)))
        } else if seconds.isNaN {
            self = .zero
        } else {
            self = .seconds(Int64(min(max(seconds, -Self.longestSeconds), Self.longestSeconds)))
        }
    }

    /// The number of seconds.
    package var inSeconds: Double { self / .seconds(1) }

    /// The number of nanoseconds, clamped to the range of integers.
    package var inNanoseconds: Int { Int(saturating: self / .nanoseconds(1)) }
}
