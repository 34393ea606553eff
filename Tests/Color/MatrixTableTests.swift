@testable import DarkroomColor
import DarkroomCore
import FoundationEssentials
import TestSupport
import Testing

struct MatrixTableTests {
    private func conversion(_ profile: ProfileBuilder) throws -> any RowConversion {
        var info = ImageInfo(format: .png, storedSize: PixelSize(1, 1))
        info.iccProfile = profile.data
        return try #require(try LittleCMSConverter().makeRowConversion(for: info))
    }

    @Test func additiveProfilesUseTheTable() throws {
        #expect(try conversion(.displayP3) is MatrixTable)
        #expect(try conversion(.adobeRGB) is MatrixTable)
    }

    @Test func otherProfilesAreLeftToLittleCMS() throws {
        let profile = ProfileBuilder.rgb { red, green, blue in
            [(red ? 85 : 0) + (green ? 85 : 0) + (blue ? 85 : 0), red == green ? 128 : 180, green == blue ? 128 : 90]
        }
        var conversion = try conversion(profile)
        #expect(conversion is TransformedRows)
        var pixels: [UInt8] = [255, 255, 255, 7, 0, 0, 0, 8, 128, 128, 128, 9, 255, 0, 0, 10]
        var span = pixels.mutableSpan
        conversion.convert(&span)
        #expect(stride(from: 3, to: 16, by: 4).map { pixels[$0] } == [7, 8, 9, 10])
        #expect(pixels[0..<3].allSatisfy { $0 >= 254 })
        #expect(pixels[4..<7].allSatisfy { $0 <= 1 })
        // Half the lightness is a grey of 119, unlike half the light of white.
        #expect(pixels[8..<11].allSatisfy { (117...122).contains($0) })
        #expect(pixels[12] > pixels[13])
    }

    /// Sums beyond the sRGB gamut must neither wrap around nor exceed the table.
    @Test func lightBeyondWhiteAndBlackIsClamped() throws {
        let wild = ProfileBuilder.rgb((1.1, 0.2, -0.3), (0.1, 1.4, 0), (0.2, -0.1, 1.5), curve: ProfileBuilder.gamma(1))
        var conversion = try conversion(wild)
        #expect(conversion is MatrixTable)
        let pixels = (0..<256).flatMap { (index: Int) -> [UInt8] in
            [UInt8(index & 240), UInt8(index << 4 & 240), 255, 1]
        }
        var (found, expected) = (pixels, pixels)
        var span = found.mutableSpan
        conversion.convert(&span)
        let transform = try ColorTransform(from: ColorProfile(Array(wild.data)), isExact: false)
        span = expected.mutableSpan
        transform.apply(to: &span)
        #expect(zip(found, expected).allSatisfy { abs(Int($0) - Int($1)) <= 1 })
        #expect(Set(found).isSuperset(of: [0, 255]))
    }
}
