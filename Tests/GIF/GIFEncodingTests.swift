import DarkroomCore
import DarkroomGIF
import DarkroomTestKit
import FoundationEssentials
import TestSupport
import Testing

@Suite struct GIFEncodingTests {
    private let registry = CoderRegistry([GIFCoder()])

    private func image(_ bitmap: Bitmap) -> Image {
        Image(info: ImageInfo(format: .gif, storedSize: bitmap.size), bitmap: bitmap)
    }

    @Test(arguments: [1, 2, 3, 4, 16, 17, 255, 256])
    func fewColorsRoundTripExactly(_ count: Int) throws {
        let bitmap = Bitmap(19, 16) { x, y in
            let index = UInt8((y * 19 + x) % count)
            return Color(red: index, green: index &* 7, blue: 255 - index)
        }
        try CoderContract(GIFCoder()).checkRoundTrip(bitmap, as: .gif)
    }

    @Test(arguments: [1, 2, 255])
    func transparentPixelsRoundTripExactly(_ count: Int) throws {
        let bitmap = Bitmap(17, 17, hasAlpha: true) { x, y in
            let index = y * 17 + x
            let alpha: UInt8 = index % 5 == 0 ? 0 : 255
            return Color(red: UInt8(index % count), green: 9, blue: 9, alpha: alpha)
        }
        try CoderContract(GIFCoder()).checkRoundTrip(bitmap, as: .gif)
    }

    @Test(arguments: [(127, 0), (128, 255)] as [(UInt8, UInt8)])
    func translucentPixelsAreRoundedToOpaqueOrTransparent(_ alpha: UInt8, _ decoded: UInt8) throws {
        let bitmap = Bitmap(2, 2, hasAlpha: true) { _, _ in Color(red: 200, green: 100, blue: 50, alpha: alpha) }
        let result = try registry.decode(registry.encode(image(bitmap), as: .gif)).bitmap
        #expect(result.color(x: 0, y: 0)?.alpha == decoded)
    }

    @Test func manyColorsAreReducedToSimilarOnes() throws {
        let bitmap = Bitmap(96, 96) { x, y in Color(red: UInt8(x * 2), green: UInt8(y * 2), blue: UInt8(x + y)) }
        let data = try registry.encode(image(bitmap), as: .gif, context: ImageContext { $0.gifDithering = 0 })
        #expect(try registry.decode(data).bitmap.largestDifference(to: bitmap) <= 16)
        // Dithering may change a pixel in favour of its neighbours.
        try CoderContract(GIFCoder()).checkRoundTrip(bitmap, as: .gif, tolerance: 32)
    }

    @Test func colorReductionLeavesRoomForTransparency() throws {
        let bitmap = Bitmap(48, 48, hasAlpha: true) { x, y in
            Color(red: UInt8(x * 5), green: UInt8(y * 5), blue: 0, alpha: x == y ? 0 : 255)
        }
        let result = try registry.decode(registry.encode(image(bitmap), as: .gif)).bitmap
        #expect((0..<48).allSatisfy { result.color(x: $0, y: $0)?.alpha == 0 })
        #expect((0..<47).allSatisfy { result.color(x: $0, y: $0 + 1)?.alpha == 255 })
    }

    @Test func sideBeyondTheFormatIsUnsupported() throws {
        let bitmap = try Bitmap(PixelSize(65_536, 1), hasAlpha: false) { _ in }
        let error = #expect(throws: ImageError.self) { try registry.encode(image(bitmap), as: .gif) }
        #expect(error?.kind == .unsupported)
    }

    @Test func longestSideIsEncoded() throws {
        let bitmap = try Bitmap(PixelSize(65_535, 1), hasAlpha: true) { _ in }
        #expect(try registry.decode(registry.encode(image(bitmap), as: .gif)).bitmap == bitmap)
    }

    @Test func cancelledEncodeStops() throws {
        let flag = CancellationFlag()
        flag.set()
        let error = #expect(throws: ImageError.self) {
            try registry.encode(image(Bitmap(4, 4) { _, _ in .white }), as: .gif, cancellation: flag)
        }
        #expect(error?.kind == .cancelled)
    }

    @Test func firstFrameOnlyIsAStill() throws {
        let bitmap = Bitmap(2, 2) { _, _ in .white }
        let animation = Animation(loopCount: 0, frameDurations: [.seconds(1), .seconds(1)], byteCount: 0) {
            throw ImageError.cancelled
        }
        let image = Image(info: ImageInfo(format: .gif, storedSize: bitmap.size), bitmap: bitmap, animation: animation)
        let still = try registry.encode(image, as: .gif, context: ImageContext { $0.usesFirstFrameOnly = true })
        #expect(try registry.decode(still).bitmap == bitmap)
        #expect(try still == registry.encode(self.image(bitmap), as: .gif))
    }

    @Test func ditheringPreservesTheMeanColorOfRegions() throws {
        let bitmap = Bitmap(64, 64) { x, y in Color(red: UInt8(x + 60), green: UInt8(y + 60), blue: UInt8(x / 2 + 50)) }
        func error(_ dithering: Double) throws -> Int {
            let data = try registry.encode(
                image(bitmap), as: .gif, context: ImageContext { $0.gifDithering = dithering })
            let (before, after) = (bitmap.bytes, try registry.decode(data).bitmap.bytes)
            // Compares the sums over squares of 4×4 pixels.
            return stride(from: 0, to: 64 * 64, by: 4).filter { $0 / 64 % 4 == 0 }.reduce(0) { total, corner in
                let differences = (0..<16).map { 4 * (corner + $0 / 4 * 64 + $0 % 4) }.map { at in
                    (0..<3).reduce(0) { $0 + Int(after[at + $1]) - Int(before[at + $1]) }
                }
                let sum = differences.reduce(0, +)
                return total + sum * sum
            }
        }
        #expect(try error(1) * 2 < error(0))
    }
}
