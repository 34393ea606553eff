import DarkroomCore

/// The colour information of the chunks `cICP`, `sRGB`, `gAMA` and `cHRM`. Implausible values are ignored.
struct PNGColors {
    /// Whether there is an ICC profile, even a broken one.
    private(set) var hasProfile = false

    /// The code points of `cICP`, which take precedence over all other information.
    private(set) var codePoints: PNGCodePoints?

    /// The colour space of `cICP`; `nil` if there is none, or it is not supported. sRGB is the inner `nil`.
    var codedCalibration: Calibration?? {
        guard let codePoints, case .success(let calibration) = codePoints.calibration else { return nil }
        return .some(calibration)
    }

    private var isStandard = false
    private var gamma: Double?
    private var points: [Calibration.Chromaticity] = []

    /// Reads `chunk`, which must be complete, if it contains colour information.
    mutating func read(_ chunk: PNGChunk, in file: PNGFile) {
        let start = chunk.body.lowerBound
        func value(_ index: Int) -> Double { Double(file.number(at: start + 4 * index)) / 100_000 }
        switch (chunk.name, chunk.byteCount) {
        case (.profile, _): hasProfile = true
        case (.codePoints, 4) where codePoints == nil && file.isIntact(chunk):
            codePoints = PNGCodePoints(file[chunk.body])
        case (.standard, 1): isStandard = file.isIntact(chunk)
        case (.gamma, 4) where file.isIntact(chunk):
            // In units of 1/100,000. Real files contain 0.2 to 1.
            let value = Double(file.number(at: start))
            gamma = (10_000...1_000_000).contains(value) ? value : nil
        case (.chromaticities, 32) where file.isIntact(chunk):
            points = (0..<4).map { Calibration.Chromaticity(x: value(2 * $0), y: value(2 * $0 + 1)) }
        default: break
        }
    }

    /// The colour space; `nil` for sRGB, which is also assumed for a file without a gamma.
    var calibration: Calibration? {
        guard !isStandard, let gamma else { return nil }
        let standard = Calibration(exponent: 100_000 / gamma)
        var calibration = standard
        if points.arePlausible {
            (calibration.white, calibration.red, calibration.green, calibration.blue) =
                (points[0], points[1], points[2], points[3])
        }
        // sRGB files contain this gamma, although the sRGB curve is different.
        let isNearStandard = abs(gamma - 45_455) <= 100 && calibration.isNear(standard)
        return isNearStandard ? nil : calibration
    }
}

extension [Calibration.Chromaticity] {
    /// Whether white and the primaries span an area of the chromaticity diagram.
    fileprivate var arePlausible: Bool {
        guard count == 4, allSatisfy({ $0.y > 0 && $0.x + $0.y <= 1 }) else { return false }
        let (red, green, blue) = (self[1], self[2], self[3])
        let area = (green.x - red.x) * (blue.y - red.y) - (blue.x - red.x) * (green.y - red.y)
        return abs(area) > 0.001
    }
}

extension Calibration {
    /// Whether primaries and white are equal except for rounding.
    fileprivate func isNear(_ other: Calibration) -> Bool {
        zip([white, red, green, blue], [other.white, other.red, other.green, other.blue])
            .allSatisfy { abs($0.x - $1.x) <= 0.001 && abs($0.y - $1.y) <= 0.001 }
    }
}
