extension FixedWidthInteger {
    /// Creates the integer next to `value` in the direction of zero. Numbers out of range become the nearest integer of
    /// the type, and NaN becomes 0.
    ///
    /// The plain conversion traps on all of these, so `Scripts/check-conversions` refuses it.
    init(saturating value: Double) {
        if value.isNaN {
            self = 0
        } else if value >= Double(Self.max) {
            self = .max
        } else if value <= Double(Self.min) {
            self = .min
        } else {
            self = Self(value)
        }
    }
}
