import DarkroomCore
import DarkroomPlatform

/// The colour space of a `cICP` chunk: code points of ITU-T H.273.
struct PNGCodePoints {
    /// The reason why a colour space is not supported.
    struct Unsupported: Error {
        let reason: String
    }

    private let primaries, transfer, matrix, range: UInt8

    /// Parses the four bytes of the chunk.
    init(_ body: Data) {
        let bytes = Array(body)
        (primaries, transfer, matrix, range) = (bytes[0], bytes[1], bytes[2], bytes[3])
    }

    /// The colour space; `nil` for sRGB.
    var calibration: Result<Calibration?, Unsupported> {
        // PNG stores RGB only.
        guard matrix == 0 else { return .failure(Unsupported(reason: "matrix \(matrix)")) }
        guard range == 1 else { return .failure(Unsupported(reason: "the narrow range")) }
        guard var calibration = Self.primaries[primaries] else {
            return .failure(Unsupported(reason: "primaries \(primaries)"))
        }
        switch transfer {
        case 1, 6, 14, 15: calibration.curve = .camera
        case 4: calibration.exponent = 2.2
        case 5: calibration.exponent = 2.8
        case 8: calibration.exponent = 1
        case 13:
            guard primaries != 1 else { return .success(nil) }
            calibration.curve = .sRGB
        case 16: return .failure(Unsupported(reason: "transfer function 16 (PQ), which has a high dynamic range"))
        case 18: return .failure(Unsupported(reason: "transfer function 18 (HLG), which has a high dynamic range"))
        default: return .failure(Unsupported(reason: "transfer function \(transfer)"))
        }
        return .success(calibration)
    }

    /// The primaries of H.273, table 2, with an exponent that the transfer function replaces.
    private static let primaries: [UInt8: Calibration] = [
        1: Calibration(exponent: 2.2),
        // NTSC (1953), with illuminant C.
        4: Calibration(white: (0.310, 0.316), red: (0.67, 0.33), green: (0.21, 0.71), blue: (0.14, 0.08)),
        5: Calibration(red: (0.64, 0.33), green: (0.29, 0.60), blue: (0.15, 0.06)),
        6: Calibration(red: (0.630, 0.340), green: (0.310, 0.595), blue: (0.155, 0.070)),
        7: Calibration(red: (0.630, 0.340), green: (0.310, 0.595), blue: (0.155, 0.070)),
        9: Calibration(red: (0.708, 0.292), green: (0.170, 0.797), blue: (0.131, 0.046)),
        // P3 with the white of theatres, and with that of displays.
        11: Calibration(white: (0.314, 0.351), red: (0.680, 0.320), green: (0.265, 0.690), blue: (0.150, 0.060)),
        12: Calibration(red: (0.680, 0.320), green: (0.265, 0.690), blue: (0.150, 0.060)),
        22: Calibration(red: (0.630, 0.340), green: (0.295, 0.605), blue: (0.155, 0.077)),
    ]
}

extension Calibration {
    /// Creates a calibration with these points, whose white is D65 by default.
    fileprivate init(
        white: (Double, Double) = (0.3127, 0.3290), red: (Double, Double), green: (Double, Double),
        blue: (Double, Double)
    ) {
        func point(_ place: (Double, Double)) -> Chromaticity { Chromaticity(x: place.0, y: place.1) }
        self.init(exponent: 2.2)
        (self.white, self.red, self.green, self.blue) = (point(white), point(red), point(green), point(blue))
    }
}
