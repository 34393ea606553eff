import DarkroomCore
import DarkroomWebP
import FoundationEssentials
import TestSupport
import Testing

@Suite struct WebPThumbnailTests {
    private let coder = WebPCoder()
    private let registry = CoderRegistry([WebPCoder()])

    /// A bright disc on nothing, and nothing but darkness under what is transparent.
    private let disc = Bitmap(160, 120, hasAlpha: true) { x, y in
        let distance = (x - 80) * (x - 80) + (y - 60) * (y - 60)
        return Color(red: 250, green: UInt8(200 + x % 50), blue: 240, alpha: distance < 2400 ? 255 : 0)
    }

    private func encoded(_ bitmap: Bitmap, lossless: Bool) throws -> Data {
        let image = Image(info: ImageInfo(format: .webp, storedSize: bitmap.size), bitmap: bitmap)
        return try registry.encode(image, as: .webp, context: ImageContext { $0.webPLossless = lossless })
    }

    @Test func coderGivesTwiceTheTarget() throws {
        let bitmap = Bitmap(100, 60) { x, y in Color(red: UInt8(x), green: UInt8(y), blue: 7) }
        let data = try encoded(bitmap, lossless: false)
        let info = try coder.info(of: data)
        func size(for target: PixelSize) throws -> PixelSize {
            try coder.decode(DecodeRequest(data: data, info: info, target: target)).size
        }
        #expect(try size(for: PixelSize(20, 12)) == PixelSize(40, 24))
        #expect(try size(for: PixelSize(60, 12)) == PixelSize(100, 24))
        #expect(try size(for: PixelSize(50, 30)) == PixelSize(100, 60))
    }

    @Test(arguments: [true, false])
    func transparentEdgesDoNotBleed(_ lossless: Bool) throws {
        let data = try encoded(disc, lossless: lossless)
        let context = ImageContext { $0.thumbnail = .fit(20, 15) }
        let thumbnail = try registry.decode(data, context: context).bitmap
        let reference = try registry.decode(data).bitmap.resized(to: thumbnail.size)
        for index in stride(from: 0, to: thumbnail.byteCount, by: 4) {
            let (alpha, expected) = (Int(thumbnail.bytes[index + 3]), Int(reference.bytes[index + 3]))
            #expect(abs(alpha - expected) <= 12)
            for channel in 0..<3 where alpha > 8 && expected > 8 {
                let difference = Int(thumbnail.bytes[index + channel]) - Int(reference.bytes[index + channel])
                #expect(abs(difference) <= 12, "channel \(channel) of pixel \(index / 4)")
            }
        }
    }

    @Test(arguments: [true, false])
    func thumbnailIsNearTheResizedWhole(_ lossless: Bool) throws {
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
        // A mean square of 6.5 is a ratio of 40 dB.
        #expect(Double(error) / Double(thumbnail.byteCount * 3 / 4) < 6.5)
    }
}
