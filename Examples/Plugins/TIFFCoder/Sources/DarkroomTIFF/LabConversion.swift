#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The conversion of L*a*b* (ISO 11664-4), whose white is D50 as in print, to sRGB.
struct LabConversion {
    private let isSigned: Bool
    private let isDeep: Bool

    /// The sRGB levels of light from black to white.
    private let levels: [UInt8]

    /// Creates the conversion of samples of 8 or 16 bits.
    init(isSigned: Bool, bitsPerSample: Int) {
        self.isSigned = isSigned
        isDeep = bitsPerSample == 16
        levels = (0...4_096).map { index in
            let light = Double(index) / 4_096
            let level = light <= 0.0031308 ? light * 12.92 : 1.055 * pow(light, 1 / 2.4) - 0.055
            return UInt8(exactly: (level * 255).rounded()) ?? 255
        }
    }

    /// Returns the colour of the first three samples, with levels of 8 bits.
    func color(of samples: SIMD4<UInt16>) -> SIMD4<UInt16> {
        let lightness = (Double(samples.x) / (isDeep ? 65_535 : 255) * 100 + 16) / 116
        // The white point D50.
        let x = light(of: lightness + chroma(samples.y) / 500) * 0.9642
        let y = light(of: lightness)
        let z = light(of: lightness - chroma(samples.z) / 200) * 0.8251
        // The matrix to the primaries of sRGB, adapted by Bradford's method.
        let red: Double = 3.1338561 * x - 1.6168667 * y - 0.4906146 * z
        let green: Double = -0.9787684 * x + 1.9161415 * y + 0.0334540 * z
        let blue: Double = 0.0719453 * x - 0.2289914 * y + 1.4052427 * z
        return SIMD4(level(red), level(green), level(blue), 255)
    }

    private func light(of value: Double) -> Double {
        value > 6.0 / 29 ? value * value * value : (value - 4.0 / 29) * 108 / 841
    }

    private func chroma(_ sample: UInt16) -> Double {
        let value = isDeep ? Double(sample) / 256 : Double(sample)
        return isSigned && value >= 128 ? value - 256 : isSigned ? value : value - 128
    }

    private func level(_ light: Double) -> UInt16 {
        UInt16(levels[Int(exactly: (min(max(light, 0), 1) * 4_096).rounded()) ?? 0])
    }
}
