import DarkroomPlatform

/// The light of sRGB values, in sixteenths of a level so that pixels with alpha are blended precisely.
enum LightTable {
    /// The number of steps from one level of 8 bits to the next.
    static let steps = 16

    /// The light of the values 0, 1/16, …, 255, from 0 to 1 (IEC 61966-2-1).
    static let values: [Float] = (0...255 * steps).map { step in
        let value = Double(step) / Double(255 * steps)
        return Float(value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4))
    }
}
