/// An RGB colour space by its primaries and its transfer exponent, as the chunks `cHRM` and `gAMA` of PNG tell it.
public struct Calibration: Hashable, Sendable, Codable {
    /// A point of the CIE 1931 chromaticity diagram.
    public struct Chromaticity: Hashable, Sendable, Codable {
        /// Its coordinates, 0 to 1.
        public var x, y: Double

        /// The point (`x`, `y`).
        public init(x: Double, y: Double) {
            self.x = x
            self.y = y
        }
    }

    /// White, and the three primaries.
    public var white, red, green, blue: Chromaticity

    /// The exponent that makes a stored value proportional to light, such as 2.2; positive.
    public var exponent: Double

    /// The primaries of sRGB (IEC 61966-2-1) with this `exponent`.
    public init(exponent: Double) {
        white = Chromaticity(x: 0.3127, y: 0.3290)
        red = Chromaticity(x: 0.64, y: 0.33)
        green = Chromaticity(x: 0.30, y: 0.60)
        blue = Chromaticity(x: 0.15, y: 0.06)
        self.exponent = exponent
    }
}
