import DarkroomCore
import DarkroomJPEG
import DarkroomTestKit
import FoundationEssentials
import TestSupport
import Testing

/// Images without colour, which are stored in a single channel.
struct JPEGGrayEncodingTests {
    private let registry = CoderRegistry([JPEGCoder()])

    private static func gray(_ width: Int, _ height: Int, alpha: UInt8? = nil) -> Bitmap {
        Bitmap(width, height, hasAlpha: alpha != nil) { x, y in
            let shade = UInt8((x * 7 ^ y * 3) & 255)
            return Color(red: shade, green: shade, blue: shade, alpha: alpha ?? 255)
        }
    }

    @Test(arguments: [1, 0.7], [false, true])
    func imageWithoutColorHasOneComponent(_ quality: Double, _ isProgressive: Bool) throws {
        let bitmap = Self.gray(61, 47)
        let data = try encode(bitmap, quality: quality, isProgressive: isProgressive)
        #expect(Self.componentCount(of: data) == 1)
        #expect(try JPEGCoder().info(of: data).colorModel == .gray)
        let decoded = try registry.decode(data).bitmap
        #expect(quality < 1 || decoded.largestDifference(to: bitmap) <= 2)
        // What is stored as luma is the same in a file with chroma, which is larger.
        let profiled = try encode(bitmap, quality: quality, isProgressive: isProgressive, profile: Self.profile("RGB "))
        #expect(Self.componentCount(of: profiled) == 3 && profiled.count > data.count)
        #expect(try registry.decode(profiled).bitmap == decoded)
    }

    /// The pixel is alone in its batch, or one of many.
    @Test(arguments: [PixelSize(1, 1), PixelSize(17, 33), PixelSize(300, 40)], [0, 1, 2])
    func singleColoredPixelNeedsThreeComponents(_ size: PixelSize, _ channel: Int) throws {
        for place in [0, size.width * size.height / 2, size.width * size.height - 1] {
            let bitmap = Bitmap(size.width, size.height) { x, y in
                let level = UInt8(x &* 3 & 127)
                let other: UInt8 = y * size.width + x == place ? 1 : 0
                return Color(
                    red: level + (channel == 0 ? other : 0), green: level + (channel == 1 ? other : 0),
                    blue: level + (channel == 2 ? other : 0))
            }
            #expect(try Self.componentCount(of: encode(bitmap)) == 3)
        }
    }

    @Test func grayIsJudgedOverTheBackground() throws {
        let bitmap = Self.gray(20, 20, alpha: 100)
        let (gray, colored) = (Color(red: 9, green: 9, blue: 9), Color(red: 9, green: 9, blue: 8))
        #expect(try Self.componentCount(of: encode(bitmap, background: gray)) == 1)
        #expect(try Self.componentCount(of: encode(bitmap, background: colored)) == 3)
        #expect(try Self.componentCount(of: encode(Self.gray(20, 20, alpha: 0), background: colored)) == 3)
    }

    @Test(arguments: [("RGB ", 3), ("GRAY", 1), ("CMYK", 1)])
    func profileIsWrittenOnlyIfItDescribesTheChannels(_ space: String, _ componentCount: Int) throws {
        let profile = Self.profile(space)
        let data = try encode(Self.gray(20, 20), profile: profile)
        #expect(Self.componentCount(of: data) == componentCount)
        #expect(try JPEGCoder().info(of: data).iccProfile == (space == "CMYK" ? nil : profile))
        let colored = try encode(
            Bitmap(20, 20) { x, _ in Color(red: UInt8(x), green: 0, blue: 0) }, profile: profile)
        #expect(try JPEGCoder().info(of: colored).iccProfile == (space == "RGB " ? profile : nil))
    }

    private static func profile(_ space: String) -> Data { Data(count: 16) + Data(space.utf8) + Data(count: 112) }

    private static func componentCount(of data: Data) -> Int? {
        let frame = data.firstRange(of: Data([0xFF, 0xC0])) ?? data.firstRange(of: Data([0xFF, 0xC2]))
        return frame.map { Int(data[$0.lowerBound + 9]) }
    }

    private func encode(
        _ bitmap: Bitmap, quality: Double = 1, background: Color? = nil, isProgressive: Bool = false,
        profile: Data? = nil
    ) throws -> Data {
        var image = Image(info: ImageInfo(format: .jpeg, storedSize: bitmap.size), bitmap: bitmap)
        image.metadata.iccProfile = profile
        let context = ImageContext {
            $0.quality = quality
            $0.background = background
            $0.writesProgressiveJPEG = isProgressive
        }
        return try registry.encode(image, as: .jpeg, context: context)
    }
}
