/// An RGB colour space defined by its primaries and its curve, as in the chunks `cHRM` and `gAMA`, or `cICP`, of PNG.
public struct Calibration: Hashable, Sendable, Codable {
    /// A point in the CIE 1931 chromaticity diagram.
    public struct Chromaticity: Hashable, Sendable, Codable {
        /// The coordinates, from 0 to 1.
        public var x, y: Double

        /// Creates the point (`x`, `y`).
        public init(x: Double, y: Double) {
            self.x = x
            self.y = y
        }
    }

    /// The function from a stored value to light.
    public enum Curve: String, Hashable, Sendable, Codable {
        /// The power with `exponent`.
        case power
        /// The curve of sRGB (IEC 61966-2-1).
        case sRGB
        /// The inverse of the curve of television cameras (ITU-R BT.709 and BT.2020).
        case camera
    }

    /// The white point and the three primaries.
    public var white, red, green, blue: Chromaticity

    /// The curve. The default is `power`.
    public var curve = Curve.power

    /// The exponent that makes a stored value proportional to light, such as 2.2. It is positive. Other curves than
    /// `power` do not use it.
    public var exponent: Double

    /// Creates a calibration with the primaries of sRGB (IEC 61966-2-1) and this `exponent`.
    public init(exponent: Double) {
        white = Chromaticity(x: 0.3127, y: 0.3290)
        red = Chromaticity(x: 0.64, y: 0.33)
        green = Chromaticity(x: 0.30, y: 0.60)
        blue = Chromaticity(x: 0.15, y: 0.06)
        self.exponent = exponent
    }
}
