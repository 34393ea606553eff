import DarkroomCore

/// The encoded values of linear light in 65536 steps, which is fine enough to distinguish all values, including dark
/// ones.
struct LinearLightTable {
    /// The maximum light, white.
    static let white: Float = 65535

    private static let all: [UInt8] = (0...65535).map { LinearLight.sRGBValue(of: Float($0) / white) }

    private let values = Self.all

    /// The value nearest to `light`, in steps; black below 0 and for NaN, white above `white`.
    @inline(__always) subscript(light: Float) -> UInt8 {
        // Written so that NaN becomes 0.
        let bounded = light > 0 ? min(light, Self.white) : 0
        return values[Int(bounded + 0.5)]
    }
}
