import DarkroomColor
import DarkroomCore
import DarkroomTestKit
import FoundationEssentials
import TestSupport
import Testing

/// Conversions of pixels with 16 bits per channel, compared with formulas in double precision.
struct DeepConversionTests {
    private func converted(_ deep: [UInt16], _ info: ImageInfo) throws -> [UInt8] {
        var conversion = try #require(try LittleCMSConverter().makeRowConversion(for: info))
        var pixels = [UInt8](repeating: 0, count: deep.count)
        var span = pixels.mutableSpan
        conversion.convert(deep.span, to: &span)
        return pixels
    }

    private func info(
        _ model: ImageInfo.ColorModel, _ profile: ProfileBuilder?, _ calibration: Calibration? = nil
    ) -> ImageInfo {
        var info = ImageInfo(format: .png, storedSize: PixelSize(1, 1))
        info.colorModel = model
        info.bitsPerChannel = 16
        info.iccProfile = profile?.data
        info.calibration = calibration
        return info
    }

    /// Throws unless no channel of `colors` differs from the formula by more than rounding and `tolerance` levels.
    private func expect(
        _ info: ImageInfo, like space: ColorSpace, colors: [[UInt16]], tolerance: Double = 0.05
    ) throws {
        let result = try converted(colors.flatMap { $0 + [UInt16($0[0] / 2)] }, info)
        for (index, color) in colors.enumerated() {
            let exact = space.exactSRGB(color.map { Double($0) / 65_535 })
            let found = result[(index * 4)..<(index * 4 + 3)].map(Double.init)
            let difference = zip(found, exact).map { abs($0 - $1) }.max() ?? 256
            #expect(difference <= 0.5 + tolerance, "\(color) became \(found), not \(exact)")
            #expect(result[index * 4 + 3] == UInt8((Double(color[0] / 2) / 257).rounded()))
        }
    }

    private static let darkGrays = ((0...2000).map { $0 } + stride(from: 2001, through: 65_535, by: 131).map { $0 })
        .map { [UInt16($0), UInt16($0), UInt16($0)] }

    private static let colors: [[UInt16]] = {
        var random = SeededGenerator(seed: 12)
        return (0..<3000).map { _ in
            let bound = [300, 5000, 65_535].randomElement(using: &random) ?? 1
            return (0..<3).map { _ in UInt16.random(in: 0...UInt16(bound), using: &random) }
        }
    }()

    @Test(arguments: [1.0, 1.8, 2.6, 0.5], [ImageInfo.ColorModel.gray, .rgb])
    func darkLevelsAreKept(_ exponent: Double, _ model: ImageInfo.ColorModel) throws {
        let calibration = Calibration(exponent: exponent)
        try expect(info(model, nil, calibration), like: .gamma(exponent), colors: Self.darkGrays)
        let stored = (exponent * 256).rounded() / 256
        let curve = ProfileBuilder.gamma(exponent)
        let profile =
            model == .gray
            ? ProfileBuilder.gray(curve: curve)
            : .rgb((0.43607, 0.22249, 0.01392), (0.38515, 0.71687, 0.09708), (0.14307, 0.06061, 0.71410), curve: curve)
        try expect(info(model, profile), like: .gamma(stored), colors: Self.darkGrays, tolerance: 0.15)
    }

    @Test func lightThatIsProportionalToValuesKeepsTheLowestOnes() throws {
        let pixels = try converted([100, 100, 100, 65_535], info(.gray, nil, Calibration(exponent: 1)))
        #expect(pixels == [5, 5, 5, 255])
    }

    @Test func wideColorsBecomeSRGB() throws {
        try expect(info(.rgb, .displayP3), like: .displayP3, colors: Self.colors, tolerance: 0.3)
        try expect(info(.rgb, .adobeRGB), like: .adobeRGB, colors: Self.colors, tolerance: 0.3)
        try expect(info(.gray, .adobeRGB), like: .adobeRGB, colors: Self.darkGrays, tolerance: 0.3)
    }

    /// Every deep pixel has a neighbour of 8 bits, which the other conversion converts.
    @Test func tablesOfColorsAgreeWithTheConversionOf8Bits() throws {
        let profile = ProfileBuilder.rgb { red, green, blue in
            [(red ? 85 : 0) + (green ? 85 : 0) + (blue ? 85 : 0), red == green ? 128 : 180, green == blue ? 128 : 90]
        }
        for profile in [profile, .displayP3, .adobeRGB] {
            var plain = (0..<4000).flatMap { (index: Int) -> [UInt8] in
                [UInt8(index & 255), UInt8(index / 16), UInt8(index * 7 & 255), UInt8(index & 127)]
            }
            let deep = try converted(plain.map { UInt16($0) * 257 }, info(.rgb, profile))
            var conversion = try #require(try LittleCMSConverter().makeRowConversion(for: info(.rgb, profile)))
            var span = plain.mutableSpan
            conversion.convert(&span)
            #expect(zip(plain, deep).allSatisfy { abs(Int($0) - Int($1)) <= 1 })
        }
    }
}
