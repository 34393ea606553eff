import DarkroomPlatform

/// The conversion between sRGB values and linear light, by the transfer function of IEC 61966-2-1. Black is 0 and white
/// 1.
public enum LinearLight {
    /// The linear light of each of the 256 values.
    public static let linearFromSRGB: [Float] = (0..<256).map { Float(light(of: Double($0) / 255)) }

    /// Returns the value, 0 to 255, nearest to `light`. Light below 0 becomes black, and above 1 white.
    public static func sRGBValue(of light: Float) -> UInt8 { sRGBValues.value(of: light) }

    /// The table of all values, to be copied before a loop: each access to a static variable has a cost.
    static let sRGBValues = SRGBValues()

    /// Returns the linear light of `value`, which ranges from 0 to 1.
    static func light(of value: Double) -> Double {
        value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
    }
}

/// The sRGB values of linear light.
struct SRGBValues: Sendable {
    /// The lowest light to which each value is the nearest.
    private let boundaries: [Float]

    /// The value of the lowest light in each of 4096 equal intervals. Within an interval it increases by at most one.
    private let values: [UInt8]

    init() {
        let boundaries = (0..<256).map { Float(LinearLight.light(of: (Double($0) - 0.5) / 255)) }
        self.boundaries = boundaries
        values = (0..<4096).map { index in
            let light = Float(index) / 4095
            return UInt8(boundaries.lastIndex { $0 <= light } ?? 0)
        }
    }

    /// Returns the value nearest to `light`. Light below 0 becomes black, and above 1 white.
    func value(of light: Float) -> UInt8 {
        guard light > 0 else { return 0 }
        // The table may be too low by one value.
        let guess = Int(values[Int(min(light, 1) * Float(values.count - 1))])
        let next = min(guess + 1, 255)
        return UInt8(light < boundaries[next] ? guess : next)
    }
}
