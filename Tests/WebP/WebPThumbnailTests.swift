import DarkroomCore
import DarkroomWebP
import FoundationEssentials
import TestSupport
import Testing

@Suite struct WebPThumbnailTests {
    private let coder = WebPCoder()
    private let registry = CoderRegistry([WebPCoder()])

    /// Draws a bright disc on transparent or black pixels.
    private func disc(hasAlpha: Bool) -> Bitmap {
        Bitmap(160, 120, hasAlpha: hasAlpha) { x, y in
            let isInside = (x - 80) * (x - 80) + (y - 60) * (y - 60) < 2400
            let color = Color(red: 250, green: UInt8(200 + x % 50), blue: 240)
            return isInside ? color : Color(red: 0, green: 0, blue: 0, alpha: hasAlpha ? 0 : 255)
        }
    }

    /// The disc with black under all transparent pixels, where libwebp's encoder would use neighbouring colours.
    private func lossyDisc() throws -> Data {
        let pixels = disc(hasAlpha: true).bytes
        let alphas = stride(from: 3, to: pixels.count, by: 4).map { pixels[$0] }
        var builder = WebPBuilder(160, 120, flags: 16)
        builder.add("ALPH", [0] + alphas)
        builder.addPixels(try encoded(disc(hasAlpha: false), lossless: false))
        return builder.data
    }

    private func encoded(_ bitmap: Bitmap, lossless: Bool) throws -> Data {
        let image = Image(info: ImageInfo(format: .webp, storedSize: bitmap.size), bitmap: bitmap)
        return try registry.encode(image, as: .webp, context: ImageContext { $0.writesLosslessWebP = lossless })
    }

    @Test(arguments: [PixelSize(1024, 1024), PixelSize(1024, 1023)])
    func coderDecodesLargePicturesAtFourTimesTheTarget(_ stored: PixelSize) throws {
        let bitmap = Bitmap(stored.width, stored.height) { x, y in
            Color(red: UInt8(x / 4), green: UInt8((x + y) / 8 & 255), blue: 7)
        }
        let data = try encoded(bitmap, lossless: false)
        let info = try coder.info(of: data)
        let isLarge = stored.height == 1024
        for (target, size) in [
            (PixelSize(20, 12), isLarge ? PixelSize(80, 48) : stored), (PixelSize(128, 129), stored),
            (PixelSize(128, 128), isLarge ? PixelSize(512, 512) : stored), (PixelSize(500, 30), stored),
        ] {
            #expect(try coder.decode(DecodeRequest(data: data, info: info, target: target)).size == size)
        }
        let thumbnail = try registry.decode(data, context: ImageContext { $0.thumbnail = .stretch(60, 60) }).bitmap
        let reference = try registry.decode(data).bitmap.resized(to: PixelSize(60, 60))
        #expect(zip(thumbnail.bytes, reference.bytes).allSatisfy { abs(Int($0) - Int($1)) <= 4 })
    }

    @Test(arguments: [true, false])
    func transparentEdgesDoNotBleed(_ lossless: Bool) throws {
        let data = lossless ? try encoded(disc(hasAlpha: true), lossless: true) : try lossyDisc()
        let context = ImageContext { $0.thumbnail = .fit(20, 15) }
        let thumbnail = try registry.decode(data, context: context).bitmap
        let reference = try registry.decode(data).bitmap.resized(to: thumbnail.size)
        let (pixels, expected) = (thumbnail.bytes.map(Int.init), reference.bytes.map(Int.init))
        for index in stride(from: 0, to: pixels.count, by: 4) {
            let (alpha, expectedAlpha) = (pixels[index + 3], expected[index + 3])
            #expect(abs(alpha - expectedAlpha) <= 12)
            for channel in index..<(index + 3) where alpha > 8 && expectedAlpha > 8 {
                #expect(abs(pixels[channel] - expected[channel]) <= 12, "byte \(channel)")
            }
        }
    }

    @Test(arguments: [true, false])
    func thumbnailIsSimilarToTheResizedImage(_ lossless: Bool) throws {
        let bitmap = Bitmap(200, 160) { x, y in
            Color(red: UInt8(x), green: UInt8(y), blue: UInt8((x * x + y * y) / 300 % 200))
        }
        let data = try encoded(bitmap, lossless: lossless)
        let thumbnail = try registry.decode(data, context: ImageContext { $0.thumbnail = .fit(25, 20) }).bitmap
        let reference = try registry.decode(data).bitmap.resized(to: thumbnail.size)
        let error = zip(thumbnail.bytes, reference.bytes).reduce(0) { sum, pair in
            let difference = Int(pair.0) - Int(pair.1)
            return sum + difference * difference
        }
        // A mean squared error of 6.5 is a ratio of 40 dB.
        #expect(Double(error) / Double(thumbnail.byteCount * 3 / 4) < 6.5)
    }
}
