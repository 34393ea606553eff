extension Calibration {
    /// Creates the colour space of two code points of ITU-T H.273, as in the chunk `cICP` of PNG: those of its primaries
    /// (table 2) and of its transfer function (table 3). `nil` for reserved ones, and for high dynamic ranges.
    public init?(primaries: Int, transfer: Int) {
        guard let space = Self.primaries[primaries] else { return nil }
        self = space
        switch transfer {
        case 1, 6, 14, 15: curve = .camera
        case 4: exponent = 2.2
        case 5: exponent = 2.8
        case 8: exponent = 1
        case 13: curve = .sRGB
        default: return nil
        }
    }

    /// Returns the colour space of the code points in a HEIF or AVIF file; `nil` for sRGB.
    ///
    /// As in viewers of these formats, the curves of cameras and of high dynamic ranges count as that of sRGB, and so do
    /// unspecified primaries.
    public static func ofHEIF(primaries: Int, transfer: Int) -> Calibration? {
        let hasExponent = [4, 5, 8].contains(transfer)
        let known = Self.primaries[primaries] == nil ? 1 : primaries
        guard known != 1 || hasExponent else { return nil }
        return Calibration(primaries: known, transfer: hasExponent ? transfer : 13)
    }

    /// The primaries of digital cinema (SMPTE RP 431-2) with the white of displays.
    static let primariesOfDisplayP3 = Calibration(red: (0.680, 0.320), green: (0.265, 0.690), blue: (0.150, 0.060))

    /// The primaries of H.273, with an exponent that the transfer function replaces.
    private static let primaries: [Int: Calibration] = [
        1: Calibration(exponent: 2.2),
        // NTSC (1953), with illuminant C.
        4: Calibration(white: (0.310, 0.316), red: (0.67, 0.33), green: (0.21, 0.71), blue: (0.14, 0.08)),
        5: Calibration(red: (0.64, 0.33), green: (0.29, 0.60), blue: (0.15, 0.06)),
        6: Calibration(red: (0.630, 0.340), green: (0.310, 0.595), blue: (0.155, 0.070)),
        7: Calibration(red: (0.630, 0.340), green: (0.310, 0.595), blue: (0.155, 0.070)),
        9: Calibration(red: (0.708, 0.292), green: (0.170, 0.797), blue: (0.131, 0.046)),
        // P3 with the white of theatres, and with that of displays.
        11: Calibration(white: (0.314, 0.351), red: (0.680, 0.320), green: (0.265, 0.690), blue: (0.150, 0.060)),
        12: primariesOfDisplayP3,
        22: Calibration(red: (0.630, 0.340), green: (0.295, 0.605), blue: (0.155, 0.077)),
    ]

    /// Creates a calibration with these points, whose white is D65 by default.
    private init(
        white: (Double, Double) = (0.3127, 0.3290), red: (Double, Double), green: (Double, Double),
        blue: (Double, Double)
    ) {
        func point(_ place: (Double, Double)) -> Chromaticity { Chromaticity(x: place.0, y: place.1) }
        self.init(exponent: 2.2)
        (self.white, self.red, self.green, self.blue) = (point(white), point(red), point(green), point(blue))
    }
}
