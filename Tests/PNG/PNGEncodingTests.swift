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
    func writtenPixelsComeBack(_ size: PixelSize, _ hasAlpha: Bool) throws {
        let bitmap = Self.drawing(size.width, size.height, hasAlpha: hasAlpha)
        try CoderContract(PNGCoder()).checkRoundTrip(bitmap, as: .png)
        let info = try PNGCoder().info(of: encoded(bitmap))
        #expect(info.hasAlpha == hasAlpha && info.bitsPerChannel == 8 && info.colorModel == .rgb)
    }

    @Test func rowOfMoreThanAMillionPixelsIsWritten() throws {
        let bitmap = try Bitmap(PixelSize(1_000_001, 1), hasAlpha: true) { _ in }
        #expect(try registry.decode(encoded(bitmap)).bitmap == bitmap)
    }

    @Test func levelChangesTheSizeAndNotThePixels() throws {
        let bitmap = Self.drawing(80, 60, hasAlpha: false)
        let files = try [0, 3, 9].map { try encoded(bitmap, level: $0) }
        #expect(files[0].count > files[1].count && files[1].count >= files[2].count)
        #expect(try files.allSatisfy { try registry.decode($0).bitmap == bitmap })
        #expect(try encoded(bitmap) == files[1])
    }

    @Test(arguments: [(-5, 0), (10, 9), (Int.max, 9)])
    func levelBeyondTheScaleCountsAsTheNearest(_ level: Int, _ nearest: Int) throws {
        let bitmap = Self.drawing(20, 10, hasAlpha: true)
        #expect(try encoded(bitmap, level: level) == encoded(bitmap, level: nearest))
    }

    @Test func animationIsNotWrittenAsAStillUnlessAskedFor() throws {
        let bitmap = Self.drawing(4, 4, hasAlpha: false)
        let animation = Animation(loopCount: 0, frameDurations: [1, 1], byteCount: 0) {
            throw ImageError(.internal, .decode, "no frame is asked for")
        }
        let info = ImageInfo(format: .png, storedSize: bitmap.size)
        let image = Image(info: info, bitmap: bitmap, animation: animation)
        let error = #expect(throws: ImageError.self) { try registry.encode(image, as: .png) }
        #expect(error?.kind == .unsupported)
        let still = try registry.encode(image, as: .png, context: ImageContext { $0.firstFrameOnly = true })
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
