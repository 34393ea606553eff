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

    @Test func conversionIsCachedOnce() throws {
        let cache = ConversionCache()
        for _ in 0..<3 { #expect(try cache.conversion(from: source(1.5)) != nil) }
        #expect(cache.sources.count == 1)
    }

    @Test func leastRecentlyUsedConversionsAreEvicted() throws {
        let cache = ConversionCache(countLimit: 2)
        for exponent in [1.25, 1.5, 1.25, 1.75] { _ = try cache.conversion(from: source(exponent)) }
        #expect(cache.sources == (try [source(1.25), source(1.75)]))
    }

    @Test func totalSizeOfProfilesIsBounded() throws {
        let cache = ConversionCache(byteLimit: 7000)
        for exponent in [1.25, 1.5, 1.75] { _ = try cache.conversion(from: source(exponent, padding: 3000)) }
        #expect(cache.sources.count == 2)
        _ = try cache.conversion(from: source(2, padding: 7000))
        #expect(cache.sources == (try [source(1.5, padding: 3000), source(1.75, padding: 3000)]))
    }

    @Test func invalidProfilesAreNotCached() throws {
        let cache = ConversionCache()
        var info = ImageInfo(format: .png, storedSize: PixelSize(1, 1))
        info.iccProfile = ProfileBuilder(space: "RGB ").data
        let source = try #require(ColorSource(info))
        #expect(throws: ImageError.self) { try cache.conversion(from: source) }
        #expect(cache.sources.isEmpty)
    }
}
