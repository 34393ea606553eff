/// The fixed-point format of the 16-bit values in pairs.
///
/// Opaque values range from 0 to 255; averages and resized rows have six additional fractional bits. With alpha, values
/// are products of a channel and alpha (255 for the alpha channel itself), minus 32768. Resized products are halved,
/// which leaves headroom for overshoot.
struct PairFormat {
    let hasAlpha: Bool
    let isAveraged: Bool

    /// The number of fractional bits of opaque averages and of opaque resized rows.
    private static let places = 6

    /// The maximum magnitude of a value.
    var most: Double { hasAlpha ? 32768 : isAveraged ? 255 * 64 : 255 }

    /// Returns the maximum magnitude, including the offset, of a resized value, where `reach` is the sum of the
    /// magnitudes of the weights.
    func mostResized(_ reach: Double) -> Double { hasAlpha ? 32768 + 16384 : min(255 * 64 * reach, 32768) }

    /// The number of bits, besides those of the weights, by which a sum is shifted right to become a resized value.
    var shift: Int { hasAlpha ? 1 : isAveraged ? 0 : -Self.places }

    /// The factor of averages.
    var averageScale: Float { hasAlpha ? 1 : Float(1 << Self.places) }

    /// The offset subtracted from averages.
    var averageOffset: Int32 { hasAlpha ? 32768 : 0 }

    /// Returns the term added to the weighted sum of resized rows, for weights with `places` fractional bits: the
    /// rounding, or the offset.
    func sumOffset(_ places: Int) -> Int32 { hasAlpha ? 16384 << Int32(places) : 1 << Int32(places + Self.places - 1) }

    /// Returns the number of bits by which an opaque sum is shifted right, for weights with `places` fractional bits.
    func sumShift(_ places: Int) -> Int32 { Int32(places + Self.places) }

    /// Returns the factor that turns a sum into the product of a channel and alpha, for weights with `places`
    /// fractional bits.
    func sumScale(_ places: Int) -> Float { 2 / Float(1 << places) }
}
