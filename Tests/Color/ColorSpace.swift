import Foundation

/// A reference for the conversion of an RGB colour space to sRGB, in floating point.
struct ColorSpace: Sendable {
    /// The rows of the matrix from linear values to linear sRGB.
    let matrix: [[Double]]

    /// The transfer function from a stored value to a linear one.
    let linear: @Sendable (Double) -> Double

    /// Display P3, which like sRGB has the white point D65.
    static let displayP3 = ColorSpace(
        matrix: [
            [1.2249401, -0.2249402, 0], [-0.0420569, 1.0420571, 0], [-0.0196376, -0.0786361, 1.0982735],
        ], linear: sRGBLinear)

    /// Adobe RGB (1998).
    static let adobeRGB = ColorSpace(
        matrix: [[1.3983557, -0.3983557, 0], [0, 1, 0], [0, -0.0429290, 1.0429290]], linear: { pow($0, 2.19921875) })

    /// The primaries of sRGB with another transfer function.
    static func gamma(_ exponent: Double) -> ColorSpace {
        ColorSpace(matrix: [[1, 0, 0], [0, 1, 0], [0, 0, 1]], linear: { pow($0, exponent) })
    }

    /// Returns the nearest 8-bit sRGB value of an 8-bit colour.
    func sRGB(_ color: [UInt8]) -> [UInt8] {
        exactSRGB(color.map { Double($0) / 255 }).map { UInt8($0.rounded()) }
    }

    /// Returns the sRGB value, from 0 to 255 and not rounded, of a colour from 0 to 1.
    func exactSRGB(_ color: [Double]) -> [Double] {
        let values = color.map(linear)
        return matrix.map { row in
            let value = zip(row, values).map(*).reduce(0, +)
            return Self.sRGBStored(min(max(value, 0), 1)) * 255
        }
    }

    @Sendable private static func sRGBLinear(_ value: Double) -> Double {
        value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
    }

    private static func sRGBStored(_ value: Double) -> Double {
        value <= 0.0031308 ? value * 12.92 : 1.055 * pow(value, 1 / 2.4) - 0.055
    }
}
