@testable import DarkroomColor
import DarkroomCore
import TestSupport
import Testing

struct ConversionCacheTests {
    private func source(_ exponent: Double, padding: Int = 0) throws -> ColorSource {
        var info = ImageInfo(format: .png, storedSize: PixelSize(1, 1))
        info.colorModel = .gray
        info.iccProfile = ProfileBuilder.gray(curve: ProfileBuilder.gamma(exponent)).data
        info.iccProfile?.append(contentsOf: [UInt8](repeating: 0, count: padding))
        return try #require(ColorSource(info))
    }

    @Test func aConversionIsKeptOnce() throws {
        let cache = ConversionCache()
        for _ in 0..<3 { #expect(try cache.conversion(from: source(1.5)) != nil) }
        #expect(cache.count == 1)
    }

    @Test func onlyAFewAreKept() throws {
        let cache = ConversionCache()
        for index in 0..<20 { _ = try cache.conversion(from: source(1 + Double(index) / 16)) }
        #expect(cache.count == 8)
    }

    @Test func theirProfilesAreBoundTogether() throws {
        let cache = ConversionCache()
        for index in 0..<4 { _ = try cache.conversion(from: source(1 + Double(index) / 16, padding: 3 << 20)) }
        #expect(cache.count == 2)
        _ = try cache.conversion(from: source(1.5, padding: 9 << 20))
        #expect(cache.count == 0)
    }

    @Test func brokenProfilesAreNotKept() throws {
        let cache = ConversionCache()
        var info = ImageInfo(format: .png, storedSize: PixelSize(1, 1))
        info.iccProfile = ProfileBuilder(space: "RGB ").data
        let source = try #require(ColorSource(info))
        #expect(throws: ImageError.self) { try cache.conversion(from: source) }
        #expect(cache.count == 0)
    }
}
