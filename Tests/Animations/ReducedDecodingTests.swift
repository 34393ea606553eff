import DarkroomCore
import DarkroomGIF
import DarkroomJPEG
import DarkroomPNG
import DarkroomTestKit
import DarkroomWebP
import Foundation
import TestSupport
import Testing

/// Thumbnails equal those of the whole picture, although coders decode fewer pixels for them.
struct ReducedDecodingTests {
    private static let registry = CoderRegistry([PNGCoder(), JPEGCoder(), GIFCoder(), WebPCoder()])

    /// The formats, and whether they are lossless where a coder offers both.
    private static let formats: [(ImageFormat, Bool)] = [
        (.webp, false), (.webp, true), (.jpeg, false), (.png, true), (.gif, true),
    ]

    /// A gradient, discs on it, or noise.
    private static func picture(_ size: PixelSize, hasAlpha: Bool, _ random: inout SeededGenerator) -> Bitmap {
        func level() -> UInt8 { .random(in: 0...255, using: &random) }
        let kind = Int.random(in: 0..<3, using: &random)
        let discs = (0..<8).map { _ in
            (
                Double.random(in: 0...Double(size.width), using: &random),
                Double.random(in: 0...Double(size.height), using: &random),
                Color(red: level(), green: level(), blue: level(), alpha: hasAlpha ? level() : 255)
            )
        }
        let radius = Double(min(size.width, size.height)) / 4 + 1
        return Bitmap(size.width, size.height, hasAlpha: hasAlpha) { x, y in
            if kind == 2 { return Color(red: level(), green: level(), blue: level(), alpha: hasAlpha ? level() : 255) }
            let disc = discs.last { hypot(Double(x) - $0.0, Double(y) - $0.1) < radius }
            if kind == 1, let disc { return disc.2 }
            let (across, down) = (x * 255 / size.width, y * 255 / size.height)
            return Color(
                red: UInt8(across), green: UInt8(down), blue: UInt8(255 - across), alpha: hasAlpha ? UInt8(down) : 255)
        }
    }

    private static func expectSimilar(
        _ source: PixelSize, _ format: (ImageFormat, Bool), _ random: inout SeededGenerator
    )
        throws
    {
        let hasAlpha = format.0 != .jpeg && Bool.random(using: &random)
        let bitmap = picture(source, hasAlpha: hasAlpha, &random)
        let quality = Double.random(in: 0.4...1, using: &random)
        let options = ImageContext {
            $0.writesLosslessWebP = format.1
            $0.quality = quality
        }
        let image = Image(info: ImageInfo(format: format.0, storedSize: source), bitmap: bitmap)
        let data = try registry.encode(image, as: format.0, context: options)
        let target = PixelSize(
            Int.random(in: 1...source.width, using: &random), Int.random(in: 1...source.height, using: &random))
        let thumbnail = try registry.decode(
            data,
            context: ImageContext { $0.thumbnail = .stretch(Double(target.width), Double(target.height)) })
        let reference = try registry.decode(data).bitmap.resized(to: thumbnail.size)
        #expect(thumbnail.size == target)
        let ratio = thumbnail.bitmap.signalToNoise(reference)
        #expect(ratio >= 40, "\(ratio) dB: \(format) \(source) to \(target), alpha: \(hasAlpha)")
    }

    /// Each of the formats with alpha; the lossy WebP's colours would change under a mask.
    @Test(arguments: [ImageFormat.png, .webp, .gif], 0..<8)
    func transparentPixelsDoNotChangeTheColorOfAThumbnail(_ format: ImageFormat, seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let size = PixelSize(Int.random(in: 2...60, using: &random), Int.random(in: 2...60, using: &random))
        let picture = ConstantColor(size, isBinary: format == .gif, &random)
        let image = Image(info: ImageInfo(format: format, storedSize: size), bitmap: picture.bitmap)
        let data = try Self.registry.encode(image, as: format, context: ImageContext { $0.writesLosslessWebP = true })
        for side in [2.0, 5, 19, 44] {
            let context = ImageContext { $0.thumbnail = .fit(side, side) }
            #expect(picture.largestChange(in: try Self.registry.decode(data, context: context).bitmap) <= 1)
        }
    }

    @Test(arguments: formats.indices, 0..<24)
    func thumbnailOfASmallPictureEqualsThatOfAllItsPixels(_ format: Int, seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<4 {
            let (small, other) = (
                Int.random(in: 1...40, using: &random), Int.random(in: 1...(seed % 3 == 0 ? 260 : 40), using: &random)
            )
            let size = Bool.random(using: &random) ? PixelSize(small, other) : PixelSize(other, small)
            try Self.expectSimilar(size, Self.formats[format], &random)
        }
    }
}

extension Bitmap {
    /// The ratio of the maximum to the difference from `other`, premultiplied, in decibels.
    fileprivate func signalToNoise(_ other: Bitmap) -> Double {
        let (pixels, others) = (bytes, other.bytes)
        var error = 0.0
        for start in stride(from: 0, to: pixels.count, by: 4) {
            let (alpha, otherAlpha) = (Double(pixels[start + 3]), Double(others[start + 3]))
            for index in start..<(start + 3) {
                let difference = (Double(pixels[index]) * alpha - Double(others[index]) * otherAlpha) / 255
                error += difference * difference
            }
            error += (alpha - otherAlpha) * (alpha - otherAlpha)
        }
        return error == 0 ? .infinity : 10 * log10(65025 / (error / Double(pixels.count)))
    }
}
