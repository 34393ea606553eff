/// The conversion between values and linear light in integers, for opaque pixels.
///
/// Light has 14 bits, so that even dark values differ by several units.
enum LightTables {
    /// The light of white. It is the maximum of opaque averages, which have the same kernels.
    static let white = 255 * 64

    /// The light of each of the 256 values.
    static let light = LinearLight.linearFromSRGB.map { UInt32(saturating: Double($0 * Float(white)).rounded()) }

    /// The value nearest to each light.
    static let values = (0...white).map { LinearLight.sRGBValue(of: Float($0) / Float(white)) }
}
