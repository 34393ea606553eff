import DarkroomColor
import DarkroomCore
import FoundationEssentials
import TestSupport
import Testing

/// Conversions to Display P3, of images whose colours exceed sRGB.
struct WideColorTests {
    private let converter = LittleCMSConverter()

    private func info(
        _ profile: Data?, _ model: ImageInfo.ColorModel = .rgb, calibration: Calibration? = nil
    ) -> ImageInfo {
        var info = ImageInfo(format: .png, storedSize: PixelSize(1, 1))
        (info.colorModel, info.iccProfile, info.calibration) = (model, profile, calibration)
        return info
    }

    private static let inks = ProfileBuilder.cmyk { cyan, magenta, yellow, black in
        [black ? 0 : cyan ? 140 : magenta ? 120 : 255, cyan ? 90 : magenta ? 200 : 128, yellow ? 220 : 128]
    }

    @Test func imagesBeyondSRGBAreKnown() {
        #expect(converter.hasWideColors(info(ProfileBuilder.displayP3.data)))
        #expect(converter.hasWideColors(info(ProfileBuilder.adobeRGB.data)))
        #expect(converter.hasWideColors(info(Self.inks.data, .cmyk)))
        #expect(converter.hasWideColors(info(nil, calibration: OutputColorSpace.displayP3.calibration)))
        #expect(!converter.hasWideColors(info(nil)) && !converter.hasWideColors(info(nil, .cmyk)))
        #expect(!converter.hasWideColors(info(ProfileBuilder.sRGB.data)))
        #expect(!converter.hasWideColors(info(ProfileBuilder.gray(curve: ProfileBuilder.gamma(1.8)).data, .gray)))
        #expect(!converter.hasWideColors(info(nil, calibration: Calibration(exponent: 1))))
        #expect(!converter.hasWideColors(info(Data([1, 2, 3]))), "it is broken")
        #expect(!converter.hasWideColors(info(ProfileBuilder.displayP3.data, .cmyk)), "it is of another model")
    }

    /// The expected values are of Little CMS 2.19, by Pillow's ImageCms.
    @Test(
        arguments: [
            ([255, 0, 0], [255, 61, 43]), ([0, 255, 0], [0, 250, 45]), ([0, 0, 255], [0, 0, 249]),
            ([200, 100, 50], [212, 108, 59]), ([128, 128, 128], [129, 129, 129]), ([10, 200, 180], [0, 197, 180]),
        ] as [([UInt8], [UInt8])])
    func adobeRGBBecomesDisplayP3(_ color: [UInt8], _ expected: [UInt8]) throws {
        let info = info(ProfileBuilder.adobeRGB.data)
        var conversion = try #require(try converter.makeRowConversion(for: info, to: .displayP3))
        var pixels = color + [77]
        var span = pixels.mutableSpan
        conversion.convert(&span)
        #expect(zip(pixels, expected + [77]).allSatisfy { abs(Int($0) - Int($1)) <= 1 }, "it became \(pixels)")
        let deep: [UInt16] = color.map { UInt16($0) * 257 } + [77 * 257]
        span = pixels.mutableSpan
        conversion.convert(deep.span, to: &span)
        #expect(zip(pixels, expected + [77]).allSatisfy { abs(Int($0) - Int($1)) <= 1 }, "deep, it became \(pixels)")
    }

    @Test func displayP3IsUnchanged() throws {
        #expect(try converter.makeRowConversion(for: info(ProfileBuilder.displayP3.data), to: .displayP3) == nil)
        let profile = try #require(OutputColorSpace.displayP3.iccProfile)
        #expect(try converter.makeRowConversion(for: info(profile), to: .displayP3) == nil)
        #expect(profile.count == 492 && OutputColorSpace.sRGB.iccProfile == nil)
    }

    /// The numbers that others publish for the primaries of Display P3, adapted to D50.
    @Test func profileHasThePublishedPrimaries() throws {
        let profile = try #require(OutputColorSpace.displayP3.iccProfile)
        let published = ProfileBuilder.displayP3.data
        for name in ["rXYZ", "gXYZ", "bXYZ"] {
            let pair = try [profile, published].map { data in
                let entry = try #require(data.firstRange(of: Data(name.utf8))).upperBound
                let offset = (entry..<entry + 4).reduce(0) { $0 << 8 | Int(data[$1]) }
                return (0..<3).map { axis in
                    let start = offset + 8 + 4 * axis
                    return Int32(truncatingIfNeeded: (start..<start + 4).reduce(0) { $0 << 8 | Int(data[$1]) })
                }
            }
            #expect(zip(pair[0], pair[1]).allSatisfy { abs($0 - $1) <= 2 }, "\(name): \(pair)")
        }
    }
}
