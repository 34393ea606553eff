import DarkroomCore
import DarkroomPNG
import FoundationEssentials
import TestSupport
import Testing

struct PNGInfoTests {
    @Test(arguments: Fixture.all(of: .png))
    func headerFieldsAreReported(_ fixture: Fixture) throws {
        let bytes = [UInt8](fixture.data)
        let info = try PNGCoder().info(of: fixture.data)
        let (depth, colorType) = (Int(bytes[24]), bytes[25])
        #expect(info.format == .png)
        #expect(info.storedSize == PixelSize(Int(bytes[19]), Int(bytes[23])))
        #expect(info.bitsPerChannel == (colorType == 3 ? 8 : depth))
        #expect(info.colorModel == (colorType == 3 ? .indexed : colorType & 2 == 0 ? .gray : .rgb))
        #expect(info.hasAlpha == (colorType & 4 != 0 || fixture.data.firstRange(of: Data("tRNS".utf8)) != nil))
        #expect(info.frameCount == 1)
    }

    @Test(arguments: 1...8)
    func orientationComesFromExif(_ tag: Int) throws {
        let info = try PNGCoder().info(of: Fixture("png-orientation-\(tag).png").data)
        #expect(info.orientation == Orientation(tag: tag))
        #expect(info.size == (tag < 5 ? PixelSize(35, 21) : PixelSize(21, 35)))
    }

    @Test func profileIsReported() throws {
        let profile = try #require(try PNGCoder().info(of: Fixture("png-icc.png").data).iccProfile)
        #expect(profile.count == 132)
        #expect(profile[36..<40] == Data("acsp".utf8))
        #expect(try PNGCoder().info(of: Fixture("png-rgb-8.png").data).iccProfile == nil)
    }

    @Test(arguments: ["png-rgb-8.png", "png-palette-8-trns.png", "png-icc.png"])
    func headerRequiresEverythingBeforeThePixels(_ name: String) throws {
        let data = Fixture(name).data
        let pixels = try #require(data.firstRange(of: Data("IDAT".utf8)))
        for count in 0..<pixels.upperBound {
            let error = #expect(throws: ImageError.self) { try PNGCoder().info(of: Data(data.prefix(count))) }
            #expect(error?.kind == .incomplete)
        }
        #expect(try PNGCoder().info(of: Data(data.prefix(pixels.upperBound))) == PNGCoder().info(of: data))
    }
}
