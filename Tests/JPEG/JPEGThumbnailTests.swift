import DarkroomCore
import DarkroomJPEG
import FoundationEssentials
import Glibc
import TestSupport
import Testing

struct JPEGThumbnailTests {
    private let coder = JPEGCoder()

    /// Draws waves of many lengths, which reveal a wrong scale or position.
    private static func waves(_ width: Int, _ height: Int) -> Bitmap {
        func wave(_ x: Int, _ y: Int, _ length: Int) -> Int {
            let phase = (x * x / 40 + y * 3) % (2 * length)
            return phase < length ? phase : 2 * length - phase
        }
        return Bitmap(width, height) { x, y in
            Color(
                red: UInt8(wave(x, y, 120) * 2), green: UInt8(wave(y, x, 90) * 2),
                blue: UInt8((x * 255 / width + y * 255 / height) / 2))
        }
    }

    /// Sides that are not multiples of 8 end in the middle of a downscaled pixel.
    @Test(
        arguments: [PixelSize(360, 240), PixelSize(353, 233), PixelSize(359, 241)],
        [PixelSize(170, 110), PixelSize(90, 61), PixelSize(45, 30), PixelSize(15, 10), PixelSize(1, 1)])
    func thumbnailIsSimilarToTheResizedImage(_ size: PixelSize, _ target: PixelSize) throws {
        let bitmap = Self.waves(size.width, size.height)
        let image = Image(info: ImageInfo(format: .jpeg, storedSize: bitmap.size), bitmap: bitmap)
        let data = try CoderRegistry([coder]).encode(image, as: .jpeg, context: ImageContext { $0.quality = 0.85 })
        let thumbnail = try decode(data, target: target)
        let resized = try decode(data, target: nil).resized(to: target)
        #expect(thumbnail.size == target && psnr(thumbnail, resized) >= 40)
    }

    @Test(arguments: Fixture.all(of: .jpeg), [PixelSize(7, 3), PixelSize(1, 1), PixelSize(35, 2)])
    func decodeGivesExactlyTheTarget(_ fixture: Fixture, _ target: PixelSize) throws {
        let info = try coder.info(of: fixture.data)
        let isSmaller = target.width <= info.storedSize.width && target.height <= info.storedSize.height
        #expect(try decode(fixture.data, target: target).size == (isSmaller ? target : info.storedSize))
    }

    @Test(arguments: ["420", "422", "440", "444", "gray"], [PixelSize(2, 1), PixelSize(4, 2), PixelSize(9, 5)])
    func progressiveThumbnailEqualsThatOfASingleScan(_ sort: String, _ target: PixelSize) throws {
        let progressive = try decode(Fixture("jpeg-progressive-\(sort).jpg").data, target: target)
        #expect(try progressive == decode(Fixture("jpeg-\(sort).jpg").data, target: target))
    }

    @Test func lastLumaScanIsNotReadForASmallThumbnail() throws {
        let bitmap = Self.waves(64, 48)
        let image = Image(info: ImageInfo(format: .jpeg, storedSize: bitmap.size), bitmap: bitmap)
        let data = try CoderRegistry([coder]).encode(
            image, as: .jpeg, context: ImageContext { $0.writesProgressiveJPEG = true })
        let scan = try #require(data.lastRange(of: Data([0xFF, 0xDA]))).upperBound
        let damaged = data[..<(scan + 8)] + Data(repeating: 0, count: data.count - scan - 10) + data.suffix(2)
        #expect(try decode(damaged, target: nil) != decode(data, target: nil))
        #expect(try decode(damaged, target: PixelSize(2, 1)) == decode(data, target: PixelSize(2, 1)))
    }

    @Test func targetJustBelowTheStoredSizeIsResizedFromAllPixels() throws {
        let data = Fixture("jpeg-444.jpg").data
        let target = PixelSize(34, 21)
        #expect(try decode(data, target: target) == decode(data, target: nil).resized(to: target))
    }

    private func decode(_ data: Data, target: PixelSize?) throws -> Bitmap {
        try coder.decode(DecodeRequest(data: data, info: coder.info(of: data), target: target))
    }

    private func psnr(_ left: Bitmap, _ right: Bitmap) -> Double {
        let squares = zip(left.bytes, right.bytes).reduce(0) { sum, pair in
            let difference = Int(pair.0) - Int(pair.1)
            return sum + difference * difference
        }
        // Alpha is equal everywhere, so three of four channels count.
        let mean = Double(squares) / Double(left.byteCount * 3 / 4)
        return mean == 0 ? .infinity : 10 * log10(255 * 255 / mean)
    }
}
