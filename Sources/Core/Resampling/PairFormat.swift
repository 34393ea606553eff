/// What the 16 bits of values in pairs mean.
///
/// Opaque values are 0 to 255; averages and resized rows have six binary places more. With alpha they are products of
/// a channel and alpha, alpha's own being 255, less 32768; resized ones are half of that, which leaves room for what
/// exceeds the range.
struct PairFormat {
    let hasAlpha: Bool
    let isAveraged: Bool

    /// The binary places of opaque averages and of opaque resized rows.
    private static let places = 6

    /// The largest magnitude of a value.
    var most: Double { hasAlpha ? 32768 : isAveraged ? 255 * 64 : 255 }

    /// The largest magnitude of a value that weights have resized whose magnitudes sum up to `reach`, with the offset.
    func mostResized(_ reach: Double) -> Double { hasAlpha ? 32768 + 16384 : min(255 * 64 * reach, 32768) }

    /// How many binary places a sum loses, beside those of the weights, to become a resized value.
    var shift: Int { hasAlpha ? 1 : isAveraged ? 0 : -Self.places }

    /// What averages are multiplied with.
    var averageScale: Float { hasAlpha ? 1 : Float(1 << Self.places) }

    /// What is subtracted from averages.
    var averageOffset: Int32 { hasAlpha ? 32768 : 0 }

    /// What is added to the weighted sum of resized rows, when weights have `places`: the rounding, or the offset.
    func sumOffset(_ places: Int) -> Int32 { hasAlpha ? 16384 << Int32(places) : 1 << Int32(places + Self.places - 1) }

    /// By how many binary places an opaque sum is larger than the value, when weights have `places`.
    func sumShift(_ places: Int) -> Int32 { Int32(places + Self.places) }

    /// What a sum is multiplied with to become a product of a channel and alpha.
    func sumScale(_ places: Int) -> Float { 2 / Float(1 << places) }
}
