import CPNG
import DarkroomCore
import DarkroomPNG
import DarkroomTestKit
import FoundationEssentials
import TestSupport
import Testing

struct PNGEncodingTests {
    private let registry = CoderRegistry([PNGCoder()])

    private static func drawing(_ width: Int, _ height: Int, hasAlpha: Bool) -> Bitmap {
        Bitmap(width, height, hasAlpha: hasAlpha) { x, y in
            let alpha = hasAlpha ? UInt8(truncatingIfNeeded: x * 15) : 255
            return Color(
                red: UInt8(truncatingIfNeeded: x * 7), green: UInt8(truncatingIfNeeded: y * 9),
                blue: UInt8(truncatingIfNeeded: x * y), alpha: alpha)
        }
    }

    @Test(arguments: [PixelSize(1, 1), PixelSize(3, 5), PixelSize(40, 30), PixelSize(200, 90)], [false, true])
    func pixelsRoundTrip(_ size: PixelSize, _ hasAlpha: Bool) throws {
        let bitmap = Self.drawing(size.width, size.height, hasAlpha: hasAlpha)
        try CoderContract(PNGCoder()).checkRoundTrip(bitmap, as: .png)
        let info = try PNGCoder().info(of: encoded(bitmap))
        #expect(info.hasAlpha == hasAlpha && info.bitsPerChannel == 8)
        #expect(info.colorModel == (size.width * size.height > 256 ? .rgb : .indexed))
    }

    @Test(arguments: [1, 2, 3, 4, 5, 16, 17, 255, 256, 257], [false, true])
    func fewColorsAreEncodedWithAPalette(_ count: Int, _ hasAlpha: Bool) throws {
        let bitmap = Bitmap(37, 23, hasAlpha: hasAlpha) { x, y in
            let index = (y * 37 + x) % count
            let alpha = hasAlpha && index % 3 == 1 ? UInt8(truncatingIfNeeded: index) : 255
            return Color(red: UInt8(index % 256), green: UInt8(index / 256), blue: 99, alpha: alpha)
        }
        let data = try encoded(bitmap)
        #expect(try registry.decode(data).bitmap == bitmap)
        #expect(data[25] == (count <= 256 ? 3 : hasAlpha ? 6 : 2))
        if count <= 256 { #expect(data[24] == (count <= 2 ? 1 : count <= 4 ? 2 : count <= 16 ? 4 : 8)) }
    }

    @Test func opaquePixelsWithAlphaChannelKeepIt() throws {
        let bitmap = Bitmap(5, 4, hasAlpha: true) { x, _ in Color(red: UInt8(x), green: 0, blue: 0) }
        #expect(try registry.decode(encoded(bitmap)).bitmap == bitmap)
    }

    @Test func grayIsWrittenAsGray() throws {
        let bitmap = Bitmap(20, 20) { x, y in Color(red: UInt8(x + y), green: UInt8(x + y), blue: UInt8(x + y)) }
        let data = try encoded(bitmap)
        #expect(try registry.decode(data).bitmap == bitmap)
        #expect(try PNGCoder().info(of: data).colorModel == .gray)
        var image = Image(info: ImageInfo(format: .png, storedSize: bitmap.size), bitmap: bitmap)
        image.metadata.iccProfile = try .profile()
        #expect(try PNGCoder().info(of: registry.encode(image, as: .png)).colorModel == .indexed)
    }

    @Test(arguments: [false, true])
    func grayWithAlphaIsWrittenAsSuch(_ isAnimated: Bool) throws {
        func picture(_ offset: Int) -> Bitmap {
            Bitmap(40, 30, hasAlpha: true) { x, y in
                let gray = UInt8(x * 5 + y / 2 + offset)
                return Color(red: gray, green: gray, blue: gray, alpha: UInt8(100 + y * 5))
            }
        }
        let frames = (isAnimated ? [0, 9, 20] : [0]).map { Frame(picture($0), duration: .milliseconds(100)) }
        let image = try #require(Image(frames: frames, format: .png))
        let data = try registry.encode(image, as: .png)
        #expect(data[25] == 4)
        let decoded = try registry.decode(data)
        #expect(decoded.bitmap == frames[0].bitmap)
        if isAnimated { #expect(try decoded.animation?.frames().map(\.bitmap) == frames.map(\.bitmap)) }
        // The profile describes RGB.
        var wide = image
        wide.metadata.iccProfile = try .profile()
        let colored = try registry.encode(wide, as: .png)
        #expect(try colored[25] != 4 && PNGCoder().info(of: colored).iccProfile != nil)
    }

    /// A palette stores unrelated pairs of grey and alpha best, but not a gradient.
    @Test(arguments: [false, true])
    func fewGraysWithAlphaAreWrittenAsWhatIsSmaller(_ isSmooth: Bool) throws {
        var random = SeededGenerator(seed: 8)
        let bitmap = Bitmap(90, 70, hasAlpha: true) { x, y in
            let level = UInt8.random(in: 0...(isSmooth ? 2 : 40), using: &random)
            let gray = isSmooth ? 90 : level &* 67
            let alpha = isSmooth ? UInt8(60 + x + y / 2) + level : level &* 149 &+ 7
            return Color(red: gray, green: gray, blue: gray, alpha: alpha)
        }
        let data = try encoded(bitmap)
        #expect(data[25] == (isSmooth ? 4 : 3))
        #expect(try registry.decode(data).bitmap == bitmap)
    }

    @Test func oneColoredPixelPreventsGray() throws {
        let bitmap = Bitmap(40, 30, hasAlpha: true) { x, y in
            let gray = UInt8(x * 5 + y / 2)
            return Color(red: gray, green: gray, blue: x == 39 && y == 29 ? 0 : gray, alpha: UInt8(100 + y * 5))
        }
        let data = try encoded(bitmap)
        #expect(data[25] == 6)
        #expect(try registry.decode(data).bitmap == bitmap)
    }

    @Test func profileIsWritten() throws {
        let profile = try Data.profile()
        for bitmap in [Self.drawing(40, 30, hasAlpha: true), Self.drawing(3, 3, hasAlpha: false)] {
            var image = Image(info: ImageInfo(format: .png, storedSize: bitmap.size), bitmap: bitmap)
            image.metadata.iccProfile = profile
            let data = try registry.encode(image, as: .png)
            #expect(try PNGCoder().info(of: data).iccProfile == profile)
            #expect(try registry.decode(data).bitmap == bitmap)
            // The length at its start is wrong.
            image.metadata.iccProfile = profile + Data([1])
            let broken = try registry.encode(image, as: .png)
            #expect(try PNGCoder().info(of: broken).iccProfile == nil)
        }
    }

    @Test func profileThatLibpngTakesForSRGBIsWritten() throws {
        let bitmap = Self.drawing(3, 3, hasAlpha: false)
        var image = Image(info: ImageInfo(format: .png, storedSize: bitmap.size), bitmap: bitmap)
        image.metadata.iccProfile = Self.profileLikeSRGB
        let data = try registry.encode(image, as: .png)
        #expect(try PNGCoder().info(of: data).iccProfile == Self.profileLikeSRGB)
        #expect(try registry.decode(data).bitmap == bitmap)
    }

    /// A profile without tags that has the length, the intent and both checksums of the sRGB profile in most photographs, by
    /// which libpng recognizes it.
    private static var profileLikeSRGB: Data {
        var profile = Data(count: 3_144)
        let fields: [(Int, [UInt8])] = [
            (2, [0x0C, 0x48]), (8, [2, 0x10]), (12, Array("mntrRGB XYZ ".utf8)), (36, Array("acsp".utf8)),
            (68, [0, 0, 0xF6, 0xD6, 0, 1, 0, 0, 0, 0, 0xD3, 0x2D]), (401, [UInt8](repeating: 255, count: 235)),
            (2_588, [196]),
        ]
        for (place, bytes) in fields { profile.replaceSubrange(place..<(place + bytes.count), with: bytes) }
        // Either triple of bytes adds the same to Adler-32, so the choice among them can produce any CRC-32.
        for index in 0..<48 {
            let isEven = 0x5AE_63D5 >> index & 1 == 0
            profile.replaceSubrange((132 + 3 * index)..<(135 + 3 * index), with: isEven ? [0, 2, 0] : [1, 0, 1])
        }
        return profile
    }

    @Test func exifIsWrittenIfMetadataIsPreserved() throws {
        let bitmap = Self.drawing(40, 30, hasAlpha: false)
        var info = ImageInfo(format: .png, storedSize: bitmap.size)
        // One entry: the orientation.
        info.exif = Exif(Data("MM\0*\0\0\0\u{8}\0\u{1}\u{1}\u{12}\0\u{3}\0\0\0\u{1}\0\u{1}\0\0\0\0\0\0".utf8))
        let image = Image(info: info, bitmap: bitmap)
        #expect(try PNGCoder().info(of: registry.encode(image, as: .png)).exif == nil)
        let data = try registry.encode(image, as: .png, context: ImageContext { $0.keepsMetadata = true })
        #expect(try PNGCoder().info(of: data).exif == info.exif)
    }

    @Test func rowOfMoreThanAMillionPixelsIsEncoded() throws {
        let bitmap = try Bitmap(PixelSize(1_000_001, 1), hasAlpha: true) { _ in }
        #expect(try registry.decode(encoded(bitmap)).bitmap == bitmap)
    }

    @Test(arguments: [2_000_000, 2_200_000])
    func rowTooLongForOurFiltersIsEncodedByLibpng(_ width: Int) throws {
        let bitmap = try Bitmap(PixelSize(width, 1), hasAlpha: true) { pixels in
            for x in 0..<300 {
                (pixels[4 * x], pixels[4 * x + 1], pixels[4 * x + 3]) = (UInt8(x % 256), UInt8(x / 256), 9)
            }
        }
        let data = try encoded(bitmap)
        #expect(data[25] == 6)
        #expect(try registry.decode(data).bitmap == bitmap)
    }

    @Test(arguments: [0, 1, 6], [false, true])
    func imageOfSeveralPortionsRoundTrips(_ level: Int, _ hasAlpha: Bool) throws {
        // More than 8 MiB, in portions of 1 MiB: noise, a pattern that repeats, and nothing.
        let size = PixelSize(1500, 1900)
        var random = SeededGenerator(seed: 3)
        let bitmap = try Bitmap(size, hasAlpha: hasAlpha) { pixels in
            for y in 0..<400 {
                for x in 0..<size.width {
                    let value = y < 200 ? UInt8.random(in: 0...255, using: &random) : UInt8(x % 17 * (y % 13))
                    pixels[(y * size.width + x) * 4 + x % 3] = value
                }
            }
            for pixel in 0..<size.width * (hasAlpha ? 300 : size.height) { pixels[4 * pixel + 3] = 255 }
        }
        let data = try encoded(bitmap, level: level)
        #expect(try registry.decode(data).bitmap == bitmap)
        let plain = try #require(PNGRowsReading.read(data, byLibraryAlone: true))
        #expect(plain.reading.code == CPNG_OK && plain.reading == PNGRowsReading.read(data)?.reading)
    }

    @Test func fileOfSeveralPortionsStopsAtTheSizeLimit() throws {
        var random = SeededGenerator(seed: 4)
        let bitmap = try Bitmap(PixelSize(2100, 1000), hasAlpha: true) { pixels in
            for byte in 0..<200_000 { pixels[byte] = UInt8.random(in: 0...255, using: &random) }
        }
        let image = Image(info: ImageInfo(format: .png, storedSize: bitmap.size), bitmap: bitmap)
        let context = ImageContext { $0.limits.outputByteCount = 100_000 }
        let error = #expect(throws: ImageError.self) { try registry.encode(image, as: .png, context: context) }
        #expect(error?.kind == .overLimit)
    }

    @Test(arguments: 1...9)
    func noiseThatIsNeverRepeatedTakesAsManyBitsAsItHas(_ level: Int) throws {
        // Two random bits per channel on a gradient. Matches found by chance would only add to them.
        var random = SeededGenerator(seed: 5)
        let bitmap = Bitmap(160, 120) { x, y in
            let noise = (0..<3).map { _ in UInt8.random(in: 0...3, using: &random) }
            return Color(red: UInt8(x) + noise[0], green: UInt8(y) + noise[1], blue: UInt8(x / 2 + y / 2) + noise[2])
        }
        // The difference of two neighbours has 2.7 bits.
        #expect(try encoded(bitmap, level: level).count < 160 * 120 * 3 * 29 / 80)
    }

    @Test(arguments: [1, 6, 9])
    func noiseAddsOnlyAFewBytesToThePixels(_ level: Int) throws {
        var random = SeededGenerator(seed: 7)
        let bitmap = Bitmap(240, 105, hasAlpha: true) { _, _ in
            let noise = (0..<4).map { _ in UInt8.random(in: 0...255, using: &random) }
            return Color(red: noise[0], green: noise[1], blue: noise[2], alpha: noise[3])
        }
        let data = try encoded(bitmap, level: level)
        #expect(data.count < (240 * 4 + 1) * 105 + 57 + 40)
        let reading = try #require(PNGRowsReading.read(data))
        #expect(reading.isFast && reading.reading.code == CPNG_OK)
    }

    @Test(arguments: 1...9)
    func repeatedPatternIsWrittenOnce(_ level: Int) throws {
        var random = SeededGenerator(seed: 6)
        let reds = (0..<400).map { _ in UInt8.random(in: 0...255, using: &random) }
        // Too many colours for a palette.
        let bitmap = Bitmap(320, 200) { x, y in
            Color(red: reds[y % 20 * 20 + x % 20], green: UInt8(y % 20 * 12), blue: UInt8(x % 20 * 12))
        }
        #expect(try encoded(bitmap, level: level).count < 2_500)
    }

    @Test func compressionLevelChangesTheSizeAndNotThePixels() throws {
        let bitmap = Self.drawing(80, 60, hasAlpha: false)
        let files = try [0, 3, 9].map { try encoded(bitmap, level: $0) }
        #expect(files[0].count > files[1].count && files[1].count >= files[2].count)
        #expect(try files.allSatisfy { try registry.decode($0).bitmap == bitmap })
        #expect(try encoded(bitmap) == files[1])
    }

    @Test func firstFrameOnlyIsAStillAndDecodesNoFrame() throws {
        let bitmap = Self.drawing(4, 4, hasAlpha: false)
        let animation = Animation(loopCount: 0, frameDurations: [.seconds(1), .seconds(1)], byteCount: 0) {
            throw ImageError(.internal, .decode, "a frame was requested")
        }
        let info = ImageInfo(format: .png, storedSize: bitmap.size)
        let image = Image(info: info, bitmap: bitmap, animation: animation)
        let error = #expect(throws: ImageError.self) { try registry.encode(image, as: .png) }
        #expect(error?.kind == .internal)
        let still = try registry.encode(image, as: .png, context: ImageContext { $0.usesFirstFrameOnly = true })
        #expect(try registry.decode(still).bitmap == bitmap)
    }

    @Test func cancelledEncodeStops() throws {
        let bitmap = Self.drawing(4, 4, hasAlpha: false)
        let flag = CancellationFlag()
        flag.set()
        let image = Image(info: ImageInfo(format: .png, storedSize: bitmap.size), bitmap: bitmap)
        let error = #expect(throws: ImageError.self) { try registry.encode(image, as: .png, cancellation: flag) }
        #expect(error?.kind == .cancelled)
    }

    private func encoded(_ bitmap: Bitmap, level: Int? = nil) throws -> Data {
        let image = Image(info: ImageInfo(format: .png, storedSize: bitmap.size), bitmap: bitmap)
        let context = ImageContext { context in
            if let level { context.pngCompressionLevel = level }
        }
        return try registry.encode(image, as: .png, context: context)
    }
}

extension Data {
    /// Returns an RGB profile with a tag of random bytes. libpng does not read a much smaller profile that it has
    /// written.
    static func profile() throws -> Data {
        var profile = try #require(try PNGCoder().info(of: Fixture("png-icc.png").data).iccProfile)
        var random = SeededGenerator(seed: 1)
        let noise = (0..<100).map { _ in UInt8.random(in: 0...255, using: &random) }
        profile.replaceSubrange(0..<4, with: UInt32(244).bytes)
        profile.replaceSubrange(128..<132, with: UInt32(1).bytes)
        return profile + Data("wtpt".utf8) + UInt32(144).bytes + UInt32(100).bytes + noise
    }
}
