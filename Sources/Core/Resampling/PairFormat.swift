/// The fixed-point format of the 16-bit values in pairs.
///
/// Linear light of opaque pixels ranges from 0 to `LightTables.white`. Other opaque values range from 0 to 255; averages and
/// resized rows have six additional fractional bits. With alpha, values are products of a channel and alpha (255 for the alpha
/// channel itself), minus 32768. Resized products are halved, which leaves headroom for overshoot.
struct PairFormat {
    let hasAlpha: Bool
    let isAveraged: Bool
    /// Whether the values are linear light. They are opaque then.
    let isLight: Bool

    /// The number of fractional bits of opaque averages and of opaque resized rows.
    private static let fractionBits = 6

    /// The maximum magnitude of a value.
    var maximum: Double { hasAlpha ? 32768 : isAveraged || isLight ? 255 * 64 : 255 }

    /// Returns the maximum magnitude, including the offset, of a resized value, where `gain` is the sum of the
    /// magnitudes of the weights.
    func maximumResized(_ gain: Double) -> Double { hasAlpha ? 32768 + 16384 : min(255 * 64 * gain, 32768) }

    /// The number of bits, besides those of the weights, by which a sum is shifted right to become a resized value.
    var shift: Int { hasAlpha ? 1 : isAveraged || isLight ? 0 : -Self.fractionBits }

    /// The factor of averages.
    var averageScale: Float { hasAlpha || isLight ? 1 : Float(1 << Self.fractionBits) }

    /// The offset subtracted from averages.
    var averageOffset: Int32 { hasAlpha ? 32768 : 0 }

    /// Returns the term added to the weighted sum of resized rows, for weights with `fractionBits` fractional bits: the
    /// rounding, or the offset.
    func sumOffset(_ fractionBits: Int) -> Int32 {
        hasAlpha ? 16384 << Int32(fractionBits) : 1 << (sumShift(fractionBits) - 1)
    }

    /// Returns the number of bits by which an opaque sum is shifted right, for weights with `fractionBits` fractional
    /// bits, to become a value or light.
    func sumShift(_ fractionBits: Int) -> Int32 { Int32(fractionBits + (isLight ? 0 : Self.fractionBits)) }

    /// Returns the factor that turns a sum into the product of a channel and alpha, for weights with `fractionBits`
    /// fractional bits.
    func sumScale(_ fractionBits: Int) -> Float { 2 / Float(1 << fractionBits) }
}
