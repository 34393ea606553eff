import DarkroomColor
import DarkroomCore
import FoundationEssentials
import TestSupport
import Testing

struct LittleCMSConverterTests {
    private let converter = LittleCMSConverter()

    private func info(
        _ model: ImageInfo.ColorModel = .rgb, profile: Data? = nil, calibration: Calibration? = nil
    ) -> ImageInfo {
        var info = ImageInfo(format: .png, storedSize: PixelSize(1, 1))
        info.colorModel = model
        info.iccProfile = profile
        info.calibration = calibration
        return info
    }

    private func converted(_ pixels: [UInt8], _ info: ImageInfo) throws -> [UInt8] {
        var conversion = try #require(try converter.makeRowConversion(for: info))
        var pixels = pixels
        var span = pixels.mutableSpan
        conversion.convert(&span)
        return pixels
    }

    /// Compares a grid of colours, each with another alpha, with the reference.
    private func expect(_ info: ImageInfo, like space: ColorSpace, colors: [[UInt8]], within bound: Int = 1) throws {
        let pixels = colors.enumerated().flatMap { $1 + [UInt8(truncatingIfNeeded: $0)] }
        let result = try converted(pixels, info)
        for (index, color) in colors.enumerated() {
            let found = Array(result[(index * 4)..<(index * 4 + 4)])
            let difference = zip(found, space.sRGB(color)).map { abs(Int($0) - Int($1)) }.max() ?? 256
            #expect(difference <= bound, "\(color) became \(found), not \(space.sRGB(color))")
            #expect(found[3] == UInt8(truncatingIfNeeded: index))
        }
    }

    private static let grid: [[UInt8]] = {
        let levels: [UInt8] = [0, 1, 7, 40, 128, 200, 255]
        return levels.flatMap { red in levels.flatMap { green in levels.map { [red, green, $0] } } }
    }()

    private static let grays: [[UInt8]] = (0...255).map { [$0, $0, $0] }

    @Test(arguments: [ImageInfo.ColorModel.rgb, .indexed])
    func displayP3BecomesSRGBAndAlphaStays(model: ImageInfo.ColorModel) throws {
        let info = info(model, profile: ProfileBuilder.displayP3.data)
        try expect(info, like: .displayP3, colors: Self.grid)
    }

    @Test func adobeRGBBecomesSRGB() throws {
        try expect(info(profile: ProfileBuilder.adobeRGB.data), like: .adobeRGB, colors: Self.grid)
    }

    @Test(arguments: [1.0, 1.8, 2.2, 2.6])
    func graysBecomeSRGB(exponent: Double) throws {
        let profile = ProfileBuilder.gray(curve: ProfileBuilder.gamma(exponent)).data
        let stored = (exponent * 256).rounded() / 256
        try expect(info(.gray, profile: profile), like: .gamma(stored), colors: Self.grays)
    }

    @Test func graysMayHaveAnRGBProfile() throws {
        let profile = ProfileBuilder.adobeRGB.data
        try expect(info(.gray, profile: profile), like: .adobeRGB, colors: Self.grays)
    }

    @Test(arguments: [1.0, 1.8])
    func calibrationDefinesAColourSpace(exponent: Double) throws {
        let calibration = Calibration(exponent: exponent)
        try expect(info(calibration: calibration), like: .gamma(exponent), colors: Self.grid)
        try expect(info(.gray, calibration: calibration), like: .gamma(exponent), colors: Self.grays)
    }

    @Test(arguments: [2.19921875, 1 / 0.45455])
    func chromaticitiesCount(exponent: Double) throws {
        var calibration = Calibration(exponent: exponent)
        calibration.green = .init(x: 0.21, y: 0.71)
        try expect(info(calibration: calibration), like: .adobeRGB, colors: Self.grid)
    }

    /// Display P3 by its primaries and the curve of sRGB, as a cICP chunk declares it.
    @Test(.bug(id: "16.24"))
    func curveOfSRGBMayHaveOtherPrimaries() throws {
        var calibration = Calibration(exponent: 2.2)
        calibration.curve = .sRGB
        (calibration.red, calibration.green) = (.init(x: 0.68, y: 0.32), .init(x: 0.265, y: 0.69))
        try expect(info(calibration: calibration), like: .displayP3, colors: Self.grid, within: 2)
    }

    @Test(.bug(id: "16.24"))
    func curveOfCamerasIsLinearInTheDark() throws {
        var calibration = Calibration(exponent: 2.2)
        calibration.curve = .camera
        // 10/255 is 0.0392 / 4.5 of the light, which sRGB stores as 23.3/255.
        let dark = try converted([10, 10, 10, 255], info(calibration: calibration))[0]
        #expect((22...24).contains(dark))
        #expect(try converted([255, 255, 255, 255], info(calibration: calibration)) == [255, 255, 255, 255])
    }

    @Test func sRGBNeedsNoConversion() throws {
        #expect(try converter.makeRowConversion(for: info()) == nil)
        #expect(try converter.makeRowConversion(for: info(profile: ProfileBuilder.sRGB.data)) == nil)
        #expect(try converter.makeRowConversion(for: info(.gray, profile: ProfileBuilder.sRGB.data)) == nil)
        let gray = ProfileBuilder.gray(curve: ProfileBuilder.sRGBCurve).data
        #expect(try converter.makeRowConversion(for: info(.gray, profile: gray)) == nil)
        // The gAMA value that PNG prescribes beside sRGB.
        #expect(try converter.makeRowConversion(for: info(calibration: Calibration(exponent: 1 / 0.45455))) == nil)
        #expect(try converter.makeRowConversion(for: info(.cmyk)) == nil)
    }

    @Test func manyThreadsMayShareAConversion() async throws {
        // These are converted by Little CMS, whose transform they all share.
        let profile = ProfileBuilder.rgb { red, green, blue in
            [(red ? 85 : 0) + (green ? 85 : 0) + (blue ? 85 : 0), red == green ? 128 : 180, green == blue ? 128 : 90]
        }
        let info = info(profile: profile.data)
        let pixels = Self.grid.flatMap { (color: [UInt8]) -> [UInt8] in color + [255] }
        let expected = try converted(pixels, info)
        try await withThrowingTaskGroup(of: [[UInt8]].self) { group in
            for _ in 0..<4 {
                group.addTask { try (0..<20).map { _ in try converted(pixels, info) } }
            }
            for try await results in group { #expect(results.allSatisfy { $0 == expected }) }
        }
    }

    @Test func profileTakesPrecedenceOverACalibration() throws {
        let info = info(profile: ProfileBuilder.displayP3.data, calibration: Calibration(exponent: 1))
        try expect(info, like: .displayP3, colors: Self.grid)
    }

    @Test func cmykBecomesOpaqueColours() throws {
        let profile = ProfileBuilder.cmyk { cyan, magenta, yellow, black in
            let lightness: UInt8 = black ? 0 : 255 - (cyan ? 80 : 0) - (magenta ? 80 : 0) - (yellow ? 20 : 0)
            return [lightness, cyan && !black ? 88 : 128, yellow && !black ? 208 : 128]
        }
        let pixels: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 255, 255, 0, 0, 0, 0, 0, 255, 0]
        let result = try converted(pixels, info(.cmyk, profile: profile.data))
        #expect(stride(from: 3, to: 16, by: 4).allSatisfy { result[$0] == 255 })
        #expect(result[0..<3].allSatisfy { $0 >= 254 }, "no ink is \(result[0..<3])")
        #expect(result[4..<7].allSatisfy { $0 <= 1 }, "black is \(result[4..<7])")
        #expect(result[8] < result[9], "cyan is \(result[8..<11])")
        #expect(result[14] < result[12], "yellow is \(result[12..<15])")
    }

    @Test(arguments: [
        (ImageInfo.ColorModel.rgb, ProfileBuilder.gray(curve: ProfileBuilder.gamma(2.2))),
        (.indexed, .gray(curve: ProfileBuilder.gamma(2.2))),
        (.cmyk, .displayP3),
        (.rgb, .cmyk { _, _, _, _ in [0, 0, 0] }),
        (.gray, .cmyk { _, _, _, _ in [0, 0, 0] }),
        (.rgb, ProfileBuilder(deviceClass: "link", space: "RGB ")),
        (.rgb, ProfileBuilder(deviceClass: "nmcl", space: "RGB ")),
        (.rgb, ProfileBuilder(deviceClass: "spac", space: "Lab ")),
        (.rgb, ProfileBuilder(space: "RGB ")),
        (.gray, ProfileBuilder(space: "GRAY")),
        (.cmyk, ProfileBuilder(space: "CMYK", connection: "Lab ")),
    ])
    func mismatchedProfilesAreRefused(model: ImageInfo.ColorModel, profile: ProfileBuilder) {
        #expect(throws: ImageError.self) {
            try converter.makeRowConversion(for: info(model, profile: profile.data))
        }
    }

    @Test func truncatedProfilesAreRefused() {
        let profile = ProfileBuilder.displayP3.data
        for count in [0, 1, 127, 128, 131, 132, 200, profile.count / 2] {
            #expect(throws: ImageError.self) {
                try converter.makeRowConversion(for: info(profile: profile.prefix(count)))
            }
        }
    }

    @Test(arguments: [
        Calibration(exponent: 0), Calibration(exponent: -1), Calibration(exponent: .nan), Calibration(exponent: 1e9),
        Calibration(exponent: 2, white: .init(x: 0.3, y: 0)), Calibration(exponent: 2, white: .init(x: .nan, y: 1)),
        Calibration(exponent: 2, white: .init(x: .infinity, y: 0.3)),
    ])
    func invalidCalibrationsAreRefused(calibration: Calibration) {
        #expect(throws: ImageError.self) { try converter.makeRowConversion(for: info(calibration: calibration)) }
    }

    @Test func collinearPrimariesAreRefused() {
        var calibration = Calibration(exponent: 2)
        calibration.green = calibration.red
        #expect(throws: ImageError.self) { try converter.makeRowConversion(for: info(calibration: calibration)) }
    }
}

extension Calibration {
    fileprivate init(exponent: Double, white: Chromaticity) {
        self.init(exponent: exponent)
        self.white = white
    }
}
